package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.bounds.TestDisk;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.InMemoryBroker;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.Sample;
import org.svcmailbox.core.supervision.SampleSupervision;
import org.svcmailbox.core.topic.InMemoryTopicStore;

/** The metrics of a mailbox's work match what it did, and how long that took. */
class WorkerMetricsTest {
  private static final Duration VISIBILITY = Duration.ofSeconds(5);
  private static final Duration STEP = Duration.ofMillis(30);

  private final MailboxRig rig =
      new MailboxRig(
          1,
          Map.of(
              "mailbox.workers", "1",
              "mailbox.ready_shards", "1",
              "mailbox.shard_capacity", "3",
              "mailbox.max_waiting", "2"));

  private final List<CompletableFuture<SendOutcome>> begun = new ArrayList<>();

  private double told(Family family, String suffix) {
    Distribution distribution =
        rig.mailbox().distributions().stream()
            .filter(one -> one.family() == family)
            .findFirst()
            .orElseThrow();
    return distribution.read().stream()
        .filter(sample -> sample.suffix().equals(suffix))
        .mapToDouble(Sample::value)
        .findFirst()
        .orElseThrow();
  }

  private void assertTook(Family family, int count, Duration together) {
    assertEquals(count, told(family, "_count"), family.text());
    assertEquals(together.toNanos() / 1e9, told(family, "_sum"), 1e-9, family.text());
  }

  private double counted(Family family, String label) {
    return counted(rig.mailbox(), family, label);
  }

  private static double counted(Mailbox mailbox, Family family, String label) {
    return mailbox.metrics().stream()
        .filter(metric -> metric.family() == family)
        .filter(metric -> label.isEmpty() || metric.tags().containsValue(label))
        .mapToDouble(Metric::now)
        .sum();
  }

  private void begin(String key) {
    begun.add(rig.submit("t", key));
  }

  private LeasedMessage received() {
    return assertInstanceOf(Delivered.class, rig.recvNow("t", 1)).messages().get(0);
  }

  private static SettleRequest.Ack ack(LeasedMessage message) {
    return new SettleRequest.Ack(message.message().envelope().msgId(), message.receipt());
  }

  @Test
  void aSendTakesUntilItIsOnDisk() {
    CompletableFuture<SendOutcome> sent = rig.submit("t", "k");
    rig.time.advance(STEP);
    assertTook(Family.ENQUEUE_LATENCY_SECONDS, 0, Duration.ZERO);
    rig.run();
    assertTrue(sent.isDone());
    assertTook(Family.ENQUEUE_LATENCY_SECONDS, 1, STEP);
  }

  @Test
  void whatPutNothingIntoAQueueIsNoEnqueue() {
    rig.send("t", "k", "x");
    rig.send("t", "k", "x");
    rig.send("t", "k", "other");
    assertTook(Family.ENQUEUE_LATENCY_SECONDS, 1, Duration.ZERO);
  }

  @Test
  void anAckTakesUntilItIsOnDisk() {
    rig.send("t", "k", "x");
    LeasedMessage message = received();
    CompletionStage<SettleOutcome> acked = rig.mailbox().settle(rig.caller, ack(message));
    rig.time.advance(STEP);
    rig.run();
    assertEquals(SettleOutcome.DONE, MailboxRig.answered(acked));
    assertTook(Family.ACK_LATENCY_SECONDS, 1, STEP);
    rig.nack(message.message().envelope().msgId(), message.receipt(), null);
    assertTook(Family.ACK_LATENCY_SECONDS, 1, STEP);
  }

  @Test
  void aRecvThatGetsSomethingTakesUntilItHasIt() {
    rig.recvNow("t", 1);
    assertTook(Family.DEQUEUE_LATENCY_SECONDS, 0, Duration.ZERO);
    rig.send("t", "k", "x");
    received();
    assertTook(Family.DEQUEUE_LATENCY_SECONDS, 1, Duration.ZERO);
  }

  @Test
  void aRecvThatWaitsTakesFromWhenItsMessageIsThere() {
    rig.recv("t", 1, VISIBILITY, Duration.ofSeconds(20));
    rig.pass(Duration.ofSeconds(3));
    begin("k");
    rig.mailbox().step();
    rig.time.advance(STEP);
    rig.run();
    assertTook(Family.DEQUEUE_LATENCY_SECONDS, 1, STEP);
  }

  @Test
  void theEndOfALeaseThatIsActedUponLateIsNoticed() {
    rig.send("t", "k", "x");
    received();
    rig.pass(Duration.ofMillis(1_012));
    assertEquals(1, told(Family.SCANNER_WAKE_JITTER_MS, "_count"));
    assertEquals(12, told(Family.SCANNER_WAKE_JITTER_MS, "_sum"));
    assertEquals(12, told(Family.SCANNER_WAKE_JITTER_MS, ""));
    assertEquals(0, counted(Family.REQUEUE_BACKOFF_TOTAL, ""), "it comes back at once");
  }

  @Test
  void aNackIsARetryWithBackoffUnlessTheConsumerSaysWhen() {
    rig.send("t", "k", "x");
    LeasedMessage first = received();
    rig.nack(first.message().envelope().msgId(), first.receipt(), Duration.ofSeconds(1));
    assertEquals(0, counted(Family.BACKOFF_RETRIES_TOTAL, "nack"));
    assertEquals(1, counted(Family.REQUEUE_BACKOFF_TOTAL, ""));
    rig.pass(Duration.ofSeconds(2));
    LeasedMessage second = received();
    rig.nack(second.message().envelope().msgId(), second.receipt(), null);
    assertEquals(1, counted(Family.BACKOFF_RETRIES_TOTAL, "nack"));
    assertEquals(2, counted(Family.REQUEUE_BACKOFF_TOTAL, ""));
  }

  @Test
  void everyTryToReopenTheBrokersSessionIsARetry() {
    rig.send("t", "k", "x");
    assertEquals(0, counted(Family.BACKOFF_RETRIES_TOTAL, "broker_session"));
    rig.broker.failNextCommit(InMemoryBroker.CommitFault.BEFORE);
    begin("l");
    rig.run();
    assertEquals(1, counted(Family.BACKOFF_RETRIES_TOTAL, "broker_session"));
  }

  @Test
  void aBrokerThatComesBackIsFoundInHalfASecond() {
    rig.send("t", "k", "x");
    rig.broker.goDown();
    for (int i = 0; i < 100; i++) {
      rig.pass(Duration.ofMillis(100));
    }
    assertFalse(rig.mailbox().isHealthy());
    int tries = (int) counted(Family.BACKOFF_RETRIES_TOTAL, "broker_session");
    assertTrue(tries >= 20 && tries <= 24, () -> tries + " tries in ten seconds");
    rig.broker.comeBack();
    rig.pass(Duration.ofMillis(500));
    assertTrue(rig.mailbox().isHealthy());
  }

  @Test
  void aWaitIsOverInVainOrCanceledOrServed() {
    rig.recv("t", 1, VISIBILITY, Duration.ofSeconds(1));
    rig.pass(Duration.ofSeconds(2));
    assertEquals(1, counted(Family.IO_TIMEOUTS_TOTAL, "recv"));
    rig.recv("t", 1, VISIBILITY, Duration.ofSeconds(20)).abandon();
    assertEquals(1, counted(Family.TASKS_CANCELED_TOTAL, "long_poll"));
    rig.recv("t", 1, VISIBILITY, Duration.ofSeconds(20));
    rig.send("t", "k", "x");
    assertEquals(3, counted(Family.TASKS_SPAWNED_TOTAL, "long_poll"));
    assertEquals(1, counted(Family.TASKS_CANCELED_TOTAL, "long_poll"));
    assertEquals(1, counted(Family.IO_TIMEOUTS_TOTAL, "recv"));
  }

  @Test
  void shutdownCancelsTheCallsThatWaitAndTheWorkers() {
    InMemoryBroker broker = new InMemoryBroker(InstantSource.system());
    InMemoryProjectionStore log = new InMemoryProjectionStore();
    Mailbox mailbox =
        new Mailbox(
            MailboxRig.settings(Map.of("mailbox.workers", "2", "mailbox.drain_deadline", "1s")),
            new Mailbox.Ports(
                broker,
                new Mailbox.Stores(log, new InMemoryTopicStore(log::deleteTopic), entry -> {}),
                new TestDisk(),
                System::nanoTime,
                InstantSource.system(),
                new Random(1),
                Runnable::run,
                caller -> {}));
    mailbox.start(SampleSupervision.ofNobody(), Thread::new);
    RecvRequest request =
        new RecvRequest(
            new TopicName("t"), VISIBILITY, 1, Long.MAX_VALUE, Duration.ofSeconds(20), null);
    CompletionStage<RecvOutcome> outcome = mailbox.recv(rig.caller, request).outcome();
    assertEquals(2, counted(mailbox, Family.TASKS_SPAWNED_TOTAL, "worker"));
    mailbox.drain();
    assertInstanceOf(Refusal.class, MailboxRig.answered(outcome));
    assertEquals(1, counted(mailbox, Family.TASKS_CANCELED_TOTAL, "long_poll"));
    assertEquals(2, counted(mailbox, Family.TASKS_CANCELED_TOTAL, "worker"));
    assertEquals(0, counted(mailbox, Family.TASKS_ABORTED_TOTAL, "worker"));
  }

  @Test
  void aMessageThatIsNotWhatItsSenderGaveIsAnIntegrityFailure() {
    rig.send("t", "k", "x");
    StoredMessage genuine = received().message();
    try (BrokerSession session = SampleLog.open(rig.broker, 7)) {
      session.enqueue(
          rig.mailbox().directory().existing(new TopicName("t")).shard(0),
          new StoredMessage(
              genuine.envelope(), Payload.owning(new byte[9]), null, genuine.expiresAt()),
          null);
      session.commit();
    }
    rig.recvNow("t", 1);
    assertEquals(1, counted(Family.INTEGRITY_FAIL_TOTAL, "hash"));
  }

  @Test
  void whatAFullQueueTurnsAwayIsCountedByQueueAndStaysCounted() {
    for (int i = 0; i < 5; i++) {
      begin("k" + i);
    }
    assertEquals(2, counted(Family.QUEUE_DROPPED_TOTAL, "shard_capacity"));
    rig.run();
    for (int i = 0; i < 3; i++) {
      rig.recv("u", 1, VISIBILITY, Duration.ofSeconds(20));
    }
    assertEquals(1, counted(Family.QUEUE_DROPPED_TOTAL, "max_waiting"));
    assertEquals(0, counted(Family.QUEUE_DROPPED_TOTAL, "worker_inbox"));
    rig.time.advance(Duration.ofSeconds(30));
    assertEquals(2, counted(Family.QUEUE_DROPPED_TOTAL, "shard_capacity"));
  }
}
