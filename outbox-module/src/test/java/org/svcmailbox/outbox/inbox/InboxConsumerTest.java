package org.svcmailbox.outbox.inbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.inbox.HandlerResult.Processed;
import org.svcmailbox.outbox.inbox.HandlerResult.Retry;
import org.svcmailbox.outbox.memory.InMemoryInbox;
import org.svcmailbox.test.concurrent.Deadline;

class InboxConsumerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ScriptedConsumer topic = new ScriptedConsumer();
  private final InboxSettings settings =
      new InboxSettings("shipping", Duration.ofMinutes(2), 20, 8);
  private final List<Handled> told = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void endTheThreads() throws Exception {
    threads.shutdownNow();
    assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
  }

  private static Delivery delivery(int number, int lane) {
    return EventMessages.delivery(
        MessageId.next(), "m" + number, 1, lane, Integer.toString(number));
  }

  private InboxConsumer consumer(EventHandler handler, MailboxClock clock) {
    InMemoryInbox inbox = new InMemoryInbox(MailboxClock.system(), event -> event.id());
    InboxProcessor processor =
        new InboxProcessor(
            inbox, topic, handler, new LocalGuard(), settings, MailboxClock.system());
    return new InboxConsumer(
        topic,
        processor,
        settings,
        threads,
        (result, time) -> {
          told.add(result);
          throw new IllegalStateException("a listener's own failure");
        },
        clock,
        () -> 0.5);
  }

  @Test
  void messagesOfALaneAreHandledInOrderAndLanesSideBySide() throws Exception {
    List<String> handled = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch both = new CountDownLatch(2);
    for (int number = 0; number < 40; number++) {
      topic.add(delivery(number, number % 2));
    }
    InboxConsumer consumer =
        consumer(
            (type, payload) -> {
              both.countDown();
              assertTrue(both.await(10, TimeUnit.SECONDS));
              handled.add(payload.payload().json());
              return new Processed();
            },
            MailboxClock.system());
    Future<?> run = threads.submit(consumer);
    Deadline.in(PATIENCE).await(() -> topic.acknowledged().size() == 40, () -> "all acknowledged");
    consumer.close();
    run.get(10, TimeUnit.SECONDS);
    for (int lane = 0; lane < 2; lane++) {
      int of = lane;
      List<Integer> numbers =
          handled.stream().map(Integer::parseInt).filter(n -> n % 2 == of).toList();
      assertEquals(numbers.stream().sorted().toList(), numbers);
    }
    assertEquals(40, told.size());
    assertTrue(topic.batches().stream().allMatch(batch -> batch <= 8));
  }

  @Test
  void aMessageWhoseLeaseRanOutIsLeftAlone() throws Exception {
    List<String> handled = Collections.synchronizedList(new ArrayList<>());
    topic.add(delivery(0, 0));
    topic.add(delivery(1, 0));
    topic.lose("m0");
    InboxConsumer consumer =
        consumer(
            (type, payload) -> {
              handled.add(payload.payload().json());
              return new Processed();
            },
            MailboxClock.system());
    Future<?> run = threads.submit(consumer);
    Deadline.in(PATIENCE).await(() -> told.size() == 1, () -> "the other message");
    consumer.close();
    run.get(10, TimeUnit.SECONDS);
    assertEquals(List.of("1"), handled);
    assertEquals(List.of("m1"), topic.acknowledged());
    assertEquals(List.of(), topic.refused());
  }

  @Test
  void anOutageCostsTheOtherMessagesNoAttempt() throws Exception {
    VirtualClock clock = new VirtualClock();
    for (int number = 0; number < 30; number++) {
      topic.add(delivery(number, 0));
    }
    Set<String> tried = Collections.synchronizedSet(new HashSet<>());
    InboxConsumer consumer =
        consumer(
            (type, payload) -> {
              tried.add(payload.payload().json());
              return new Retry("away", null);
            },
            clock);
    Future<?> run = threads.submit(consumer);
    Deadline.in(PATIENCE).await(() -> told.size() >= OutageWatch.FAILURES, () -> "the outage");
    // It knows of the outage once its listener was told. Now it fetches nothing more.
    clock.awaitWaiters(1);
    Deadline.in(PATIENCE)
        .await(
            () -> topic.isIdle() && told.size() == topic.refused().size(),
            () -> "the messages that were held");
    int before = topic.refused().size();
    assertTrue(before >= OutageWatch.FAILURES && before < OutageWatch.FAILURES + 8, before + "");
    // Half of the first bound; then one message goes.
    clock.advance(OutageWatch.MAX);
    Deadline.in(PATIENCE).await(() -> topic.refused().size() == before + 1, () -> "one probe");
    assertEquals(1, topic.batches().get(topic.batches().size() - 1));
    consumer.close();
    run.get(10, TimeUnit.SECONDS);
    assertFalse(tried.contains("29"));
  }

  @Test
  void aProbeThatSucceedsEndsTheOutage() {
    VirtualClock clock = new VirtualClock();
    OutageWatch watch = new OutageWatch(clock, () -> 0.5);
    for (int failure = 1; failure < OutageWatch.FAILURES; failure++) {
      watch.failed();
      assertFalse(watch.isOut());
    }
    for (int bound : List.of(1, 2, 4, 8, 16, 32, 60, 60)) {
      watch.failed();
      assertTrue(watch.isOut());
      assertEquals(
          Duration.ofSeconds(bound).dividedBy(2).toNanos(), watch.nextProbe() - clock.nanoTime());
    }
    watch.succeeded();
    assertFalse(watch.isOut());
  }

  @Test
  void whatNoHandlerHasBegunIsGivenBackAtTheEnd() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    for (int number = 0; number < 3; number++) {
      topic.add(delivery(number, 0));
    }
    InboxConsumer consumer =
        consumer(
            (type, payload) -> {
              begun.countDown();
              assertTrue(go.await(10, TimeUnit.SECONDS));
              return new Processed();
            },
            MailboxClock.system());
    Future<?> run = threads.submit(consumer);
    assertTrue(begun.await(10, TimeUnit.SECONDS));
    Future<?> close = threads.submit(consumer::close);
    run.get(10, TimeUnit.SECONDS);
    assertFalse(close.isDone());
    go.countDown();
    close.get(10, TimeUnit.SECONDS);
    assertEquals(List.of("m0"), topic.acknowledged());
    assertTrue(topic.refused().stream().allMatch(one -> Duration.ZERO.equals(one.delay())));
  }

  @Test
  void withoutAFreeThreadTheFetchingOneHandles() throws Exception {
    for (int number = 0; number < 5; number++) {
      topic.add(delivery(number, number));
    }
    InboxProcessor processor =
        new InboxProcessor(
            new InMemoryInbox(MailboxClock.system(), event -> event.id()),
            topic,
            (type, payload) -> new Processed(),
            new LocalGuard(),
            settings,
            MailboxClock.system());
    InboxConsumer consumer =
        new InboxConsumer(
            topic,
            processor,
            settings,
            task -> {
              throw new RejectedExecutionException("all busy");
            },
            InboxListener.NONE,
            MailboxClock.system());
    Future<?> run = threads.submit(consumer);
    Deadline.in(PATIENCE).await(() -> topic.acknowledged().size() == 5, () -> "all acknowledged");
    consumer.close();
    run.get(10, TimeUnit.SECONDS);
  }

  @Test
  void aConsumerOutlivesFetchesThatFail() throws Exception {
    VirtualClock clock = new VirtualClock();
    topic.breakNextFetch();
    topic.add(delivery(1, 0));
    InboxConsumer consumer = consumer((type, payload) -> new Processed(), clock);
    Future<?> run = threads.submit(consumer);
    clock.awaitWaiters(1);
    assertEquals(List.of(), topic.acknowledged());
    clock.advance(Duration.ofSeconds(1));
    Deadline.in(PATIENCE).await(() -> topic.acknowledged().size() == 1, () -> "the message");
    consumer.close();
    run.get(10, TimeUnit.SECONDS);
  }
}
