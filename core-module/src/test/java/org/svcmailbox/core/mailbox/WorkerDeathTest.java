package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.bounds.TestDisk;
import org.svcmailbox.core.broker.InMemoryBroker;
import org.svcmailbox.core.broker.InMemoryBroker.CommitFault;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.supervision.SampleSupervision;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.supervision.Supervisor;
import org.svcmailbox.core.topic.InMemoryTopicStore;
import org.svcmailbox.test.concurrent.Deadline;

/** A worker that dies of an error, on real threads; the random program covers all moments. */
class WorkerDeathTest {
  private static final TopicName ORDERS = new TopicName("orders");
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration DRAIN = Duration.ofSeconds(1);

  private final InstantSource wall = InstantSource.system();
  private final InMemoryBroker broker = new InMemoryBroker(wall);
  private final InMemoryProjectionStore log = new InMemoryProjectionStore();
  private final Supervisor supervisor =
      new Supervisor(Thread::new, System::nanoTime, new Random(1));
  private final CountDownLatch unstuck = new CountDownLatch(1);
  private volatile boolean stuck;

  @SuppressWarnings("NullAway.Init")
  private Mailbox mailbox;

  @AfterEach
  void stop() {
    unstuck.countDown();
    mailbox.drain();
    supervisor.end();
  }

  private void start(Supervision supervision) {
    Executor completer =
        work -> {
          if (stuck) {
            hang();
          }
          work.run();
        };
    mailbox =
        new Mailbox(
            MailboxRig.settings(Map.of("mailbox.workers", "1", "mailbox.drain_deadline", "1s")),
            new Mailbox.Ports(
                broker,
                new Mailbox.Stores(log, new InMemoryTopicStore(log::deleteTopic), entry -> {}),
                new TestDisk(),
                System::nanoTime,
                wall,
                new Random(1),
                completer,
                caller -> {}));
    mailbox.start(supervision, Thread::new);
  }

  private void hang() {
    try {
      unstuck.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private CompletableFuture<SendOutcome> submit(String key) {
    Payload payload = Payload.owning("x".getBytes(StandardCharsets.UTF_8));
    return mailbox
        .send(
            SampleCallers.OPERATOR,
            new SendRequest(
                ORDERS,
                payload,
                new IdemKey(key),
                Attributes.NONE,
                null,
                null,
                Duration.ZERO,
                null))
        .toCompletableFuture();
  }

  private CompletableFuture<RecvOutcome> recv(Duration wait) {
    return mailbox
        .recv(
            SampleCallers.OPERATOR,
            new RecvRequest(ORDERS, Duration.ofHours(1), 10, Long.MAX_VALUE, wait, null))
        .outcome()
        .toCompletableFuture();
  }

  private static <T> T answer(CompletableFuture<T> future) throws Exception {
    return future.get(SOON.toSeconds(), TimeUnit.SECONDS);
  }

  private LeasedMessage one(RecvOutcome outcome) {
    return assertInstanceOf(Delivered.class, outcome).messages().get(0);
  }

  private double counted(Family family) {
    return mailbox.metrics().stream()
        .filter(metric -> metric.family() == family && metric.tags().containsValue("worker"))
        .mapToDouble(metric -> metric.now())
        .sum();
  }

  @Test
  void itsLeasesReturnEveryCallerIsAnsweredAndAnotherTakesItsPlace() throws Exception {
    supervisor.begin();
    start(supervisor);
    assertInstanceOf(SendOutcome.Accepted.class, answer(submit("held")));
    LeasedMessage held = one(answer(recv(SOON)));
    CompletableFuture<RecvOutcome> waiting = recv(SOON);
    broker.dieAtNextCommit(CommitFault.BEFORE);
    assertEquals(
        "broker_away", assertInstanceOf(Refusal.class, answer(submit("doubted"))).reason());
    assertEquals("broker_away", assertInstanceOf(Refusal.class, answer(waiting)).reason());

    Deadline.in(SOON).await(mailbox::isHealthy, () -> "a worker");
    LeasedMessage back = one(answer(recv(SOON)));
    assertEquals(held.message().envelope().msgId(), back.message().envelope().msgId());
    assertEquals(1, back.message().envelope().attempt(), "no attempt is spent");
    assertEquals(1, mailbox.limits().inflight());
    SendOutcome again = answer(submit("doubted"));
    assertEquals(false, assertInstanceOf(SendOutcome.Accepted.class, again).duplicate());
    assertEquals(2, counted(Family.TASKS_SPAWNED_TOTAL));
    assertEquals(1, counted(Family.TASKS_ABORTED_TOTAL));
    assertEquals(1, broker.failedSessions(), "the broker counts what a deadly message does");
    assertInstanceOf(
        SettleOutcome.Done.class,
        answer(
            mailbox
                .settle(
                    SampleCallers.OPERATOR,
                    new SettleRequest.Ack(back.message().envelope().msgId(), back.receipt()))
                .toCompletableFuture()));
  }

  @Test
  void whileThereIsNoneEveryCallIsRefusedAtOnceAndNothingStaysCounted() throws Exception {
    start(SampleSupervision.ofNobody());
    assertInstanceOf(SendOutcome.Accepted.class, answer(submit("first")));
    broker.dieAtNextCommit(CommitFault.AFTER);
    assertInstanceOf(Refusal.class, answer(submit("last")));
    Deadline.in(SOON).await(() -> broker.openSessions() == 0, () -> "the end of its session");
    for (int i = 0; i < 10; i++) {
      assertInstanceOf(Refusal.class, answer(submit("none-" + i)));
      assertInstanceOf(Refusal.class, answer(recv(SOON)));
    }
    assertEquals(0, mailbox.limits().pendingBytes().total().count());
    assertEquals(0, mailbox.limits().waiting().total().count());
  }

  @Test
  void aDrainEndsWithItsDeadlineAndCountsTheWorkerThatDoesNot() throws Exception {
    start(SampleSupervision.ofNobody());
    assertInstanceOf(SendOutcome.Accepted.class, answer(submit("first")));
    stuck = true;
    CompletableFuture<SendOutcome> open = submit("stuck");
    long before = System.nanoTime();
    mailbox.drain();
    Duration took = Duration.ofNanos(System.nanoTime() - before);
    assertTrue(took.compareTo(DRAIN.plusMillis(500)) < 0, took::toString);
    assertEquals(1, counted(Family.TASKS_ABORTED_TOTAL));
    assertEquals(0, counted(Family.TASKS_CANCELED_TOTAL));
    stuck = false;
    unstuck.countDown();
    assertInstanceOf(SendOutcome.Accepted.class, answer(open), "what was committed");
  }

  @Test
  void aDrainOverLeasesThatNobodySettlesEndsWithItsDeadlineToo() throws Exception {
    start(SampleSupervision.ofNobody());
    assertInstanceOf(SendOutcome.Accepted.class, answer(submit("held")));
    LeasedMessage held = one(answer(recv(SOON)));
    long before = System.nanoTime();
    mailbox.drain();
    Duration took = Duration.ofNanos(System.nanoTime() - before);
    assertTrue(took.compareTo(DRAIN.plusMillis(500)) < 0, took::toString);
    Deadline.in(SOON).await(() -> broker.openSessions() == 0, () -> "the end of its session");
    assertEquals(0, broker.failedSessions(), "a drain is no failure");
    assertEquals(1, broker.everything().size());
    SettleOutcome late =
        answer(
            mailbox
                .settle(
                    SampleCallers.OPERATOR,
                    new SettleRequest.Ack(held.message().envelope().msgId(), held.receipt()))
                .toCompletableFuture());
    assertInstanceOf(Refusal.class, late);
  }
}
