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
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.inbox.HandlerResult.Processed;
import org.svcmailbox.outbox.inbox.HandlerResult.Retry;
import org.svcmailbox.outbox.memory.InMemoryInbox;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.log.OwnLog;

class InboxConsumerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ScriptedConsumer topic = new ScriptedConsumer();
  private final InboxSettings settings =
      new InboxSettings("shipping", "orders", Duration.ofMinutes(2), 20, 8);
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
    return consumer(handler, clock, threads);
  }

  private InboxConsumer consumer(EventHandler handler, MailboxClock clock, Executor executor) {
    InMemoryInbox inbox = new InMemoryInbox(MailboxClock.system(), event -> event.id());
    InboxProcessor processor =
        new InboxProcessor(
            inbox, topic, handler, new LocalGuard(), settings, MailboxClock.system());
    return new InboxConsumer(
        topic,
        processor,
        settings,
        executor,
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
    Deadline.in(PATIENCE).await(() -> told.size() >= Breaker.FAILURES, () -> "the outage");
    // It knows of the outage once its listener was told. Now it fetches nothing more.
    clock.awaitWaiters(1);
    Deadline.in(PATIENCE)
        .await(
            () -> topic.isIdle() && told.size() == topic.refused().size(),
            () -> "the messages that were held");
    int before = topic.refused().size();
    assertTrue(before >= Breaker.FAILURES && before < Breaker.FAILURES + 8, before + "");
    // Half of the first bound; then one message goes.
    clock.advance(Breaker.MAX);
    Deadline.in(PATIENCE).await(() -> topic.refused().size() == before + 1, () -> "one probe");
    assertEquals(1, topic.batches().get(topic.batches().size() - 1));
    consumer.close();
    run.get(10, TimeUnit.SECONDS);
    assertFalse(tried.contains("29"));
  }

  @Test
  void someMessagesThatAlwaysFailPauseNothing() throws Exception {
    for (int round = 0; round < 3; round++) {
      for (int number = 0; number < 7; number++) {
        topic.add(delivery(number, number));
      }
    }
    InboxConsumer consumer =
        consumer((type, payload) -> new Retry("always", null), MailboxClock.system());
    Future<?> run = threads.submit(consumer);
    Deadline.in(PATIENCE).await(() -> told.size() == 21, () -> "all of them");
    assertFalse(consumer.isPaused());
    topic.add(delivery(100, 0));
    Deadline.in(PATIENCE).await(() -> told.size() == 22, () -> "another one");
    consumer.close();
    run.get(10, TimeUnit.SECONDS);
  }

  @Test
  void aPauseDoesNotWaitForAHandlerThatHangs() throws Exception {
    CountDownLatch hung = new CountDownLatch(1);
    AtomicBoolean isAway = new AtomicBoolean(true);
    topic.add(delivery(0, 0));
    // More than are held when the pause begins: it ends with one that is fetched later.
    for (int number = 1; number <= Breaker.FAILURES + 30; number++) {
      topic.add(delivery(number, 1));
    }
    InboxConsumer consumer =
        consumer(
            (type, payload) -> {
              if (payload.payload().json().equals("0")) {
                assertTrue(hung.await(20, TimeUnit.SECONDS));
              }
              return isAway.get() ? new Retry("away", null) : new Processed();
            },
            MailboxClock.system());
    Future<?> run = threads.submit(consumer);
    Deadline.in(PATIENCE).await(consumer::isPaused, () -> "the pause");
    isAway.set(false);
    Deadline.in(PATIENCE).await(() -> !consumer.isPaused(), () -> "the end of the pause");
    assertEquals(1, hung.getCount());
    hung.countDown();
    consumer.close();
    run.get(10, TimeUnit.SECONDS);
  }

  @Test
  void aPauseHasALineAtEachEnd() {
    VirtualClock clock = new VirtualClock();
    AtomicInteger calls = new AtomicInteger();
    for (int number = 0; number <= Breaker.FAILURES; number++) {
      topic.add(delivery(number, 0));
    }
    Thread own = Thread.currentThread();
    List<String> lines =
        linesOf(
            consumer(
                (type, payload) -> {
                  if (calls.incrementAndGet() <= Breaker.FAILURES) {
                    return new Retry("away", null);
                  }
                  own.interrupt();
                  return new Processed();
                },
                clock,
                Runnable::run),
            clock);
    assertEquals(2, lines.size(), lines::toString);
    assertTrue(lines.get(0).startsWith("WARNING " + topic + " pauses"), lines::toString);
    assertTrue(lines.get(1).startsWith("INFO " + topic + " goes on: message m10"), lines::toString);
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
    topic.failNextFetches(new IllegalStateException("a bug"));
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

  /** Runs on the test's thread, which ends when the message is handled. */
  private List<String> linesWhileFetching(RuntimeException... failures) {
    VirtualClock clock = new VirtualClock();
    topic.failNextFetches(failures);
    topic.add(delivery(1, 0));
    Thread own = Thread.currentThread();
    return linesOf(
        consumer(
            (type, payload) -> {
              own.interrupt();
              return new Processed();
            },
            clock),
        clock);
  }

  /** Runs a consumer on this thread until that is interrupted, while time passes. */
  private List<String> linesOf(InboxConsumer consumer, VirtualClock clock) {
    Future<?> time =
        threads.submit(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                clock.awaitWaiters(1);
                clock.advance(Duration.ofSeconds(1));
              }
              return null;
            });
    try (OwnLog log = new OwnLog(InboxConsumer.class.getName())) {
      consumer.run();
      assertTrue(Thread.interrupted());
      return log.lines().stream().filter(line -> !line.contains("listener")).toList();
    } finally {
      time.cancel(true);
    }
  }

  @Test
  void aSaturatedTopicIsNoFailure() {
    RuntimeException full = new TopicSaturatedException("429", new IllegalStateException("429"));
    assertEquals(List.of(), linesWhileFetching(full, full, full));
  }

  @Test
  void anOutageOfTheServiceHasALineAtEachEnd() {
    RuntimeException away = new ConsumerException("the service is away");
    assertEquals(
        List.of(
            "WARNING Nothing can be fetched: the service is away",
            "INFO Messages can be fetched again"),
        linesWhileFetching(away, away));
  }
}
