package org.svcmailbox.outbox.inbox;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.inbox.HandlerResult.Processed;
import org.svcmailbox.outbox.memory.InMemoryInbox;
import org.svcmailbox.test.concurrent.Deadline;

/** Two consumers of one topic, as two workers have them. */
class SharedTopicTest {
  private static final Duration HANDLER = Duration.ofMillis(20);
  private static final int MAX_ACK_PENDING = 50;

  private static final InboxSettings SETTINGS =
      new InboxSettings("shipping", "orders", Duration.ofMinutes(2), 20, MAX_ACK_PENDING);

  private final InMemoryInbox inbox = new InMemoryInbox(MailboxClock.system(), event -> event.id());
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void endTheThreads() throws Exception {
    threads.shutdownNow();
    assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
  }

  /** How many messages some consumers handle in a second, with handlers that wait. */
  private int handled(BoundedTopic topic, List<EventConsumer> sources, Consumer<String> begun)
      throws Exception {
    List<InboxConsumer> consumers =
        sources.stream().map(source -> consumer(source, begun)).toList();
    List<Future<?>> runs = new ArrayList<>();
    consumers.forEach(consumer -> runs.add(threads.submit(consumer)));
    Deadline end = Deadline.in(Duration.ofSeconds(1));
    Deadline.in(Duration.ofSeconds(10)).await(end::isOver, () -> "a second");
    int handled = topic.acknowledged();
    consumers.forEach(InboxConsumer::close);
    for (Future<?> run : runs) {
      run.get(10, TimeUnit.SECONDS);
    }
    return handled;
  }

  private InboxConsumer consumer(EventConsumer source, Consumer<String> begun) {
    InboxProcessor processor =
        new InboxProcessor(
            inbox,
            source,
            (type, payload) -> {
              begun.accept(payload.payload().json());
              Thread.sleep(HANDLER.toMillis());
              return new Processed();
            },
            new LocalGuard(),
            SETTINGS,
            MailboxClock.system());
    return new InboxConsumer(
        source, processor, SETTINGS, threads, InboxListener.NONE, MailboxClock.system());
  }

  /** On a busy machine a round can fail; without room for the second consumer all do. */
  @Test
  void twoConsumersHandleMoreThanOne() throws Exception {
    List<String> rounds = new ArrayList<>();
    boolean isFaster = false;
    while (!isFaster && rounds.size() < 5) {
      BoundedTopic alone = new BoundedTopic(4, MAX_ACK_PENDING);
      int one = handled(alone, List.of(alone), number -> {});
      BoundedTopic shared = new BoundedTopic(4, MAX_ACK_PENDING);
      int two = handled(shared, List.of(shared, shared), number -> {});
      rounds.add("one %d, two %d, refused %d".formatted(one, two, shared.refusals()));
      isFaster = two >= 1.6 * one;
    }
    assertTrue(isFaster, rounds::toString);
  }

  @Test
  void aConsumerWhoseHandlersHangLeavesRoomForOthers() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    BoundedTopic topic = new BoundedTopic(4, MAX_ACK_PENDING);
    List<CountDownLatch> begun = List.of(new CountDownLatch(1), new CountDownLatch(1));
    List<InboxConsumer> consumers =
        begun.stream()
            .map(
                first ->
                    consumer(
                        topic,
                        number -> {
                          first.countDown();
                          assertDoesNotThrow(() -> go.await());
                        }))
            .toList();
    List<Future<?>> runs = new ArrayList<>();
    consumers.forEach(consumer -> runs.add(threads.submit(consumer)));
    try {
      for (CountDownLatch first : begun) {
        assertTrue(first.await(10, TimeUnit.SECONDS));
      }
    } finally {
      go.countDown();
    }
    consumers.forEach(InboxConsumer::close);
    for (Future<?> run : runs) {
      run.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void consumersThatTakeTurnsKeepTheOrder() throws Exception {
    BoundedTopic topic = new BoundedTopic(1, MAX_ACK_PENDING);
    AtomicReference<String> owner = new AtomicReference<>();
    List<EventConsumer> sources =
        Stream.of("one", "other")
            .<EventConsumer>map(
                name ->
                    new OrderedConsumer(
                        topic, () -> owner.compareAndSet(null, name) || name.equals(owner.get())))
            .toList();
    List<Integer> begun = Collections.synchronizedList(new ArrayList<>());
    assertTrue(handled(topic, sources, number -> begun.add(Integer.valueOf(number))) > 0);
    assertEquals(begun.stream().sorted().toList(), begun);
  }
}
