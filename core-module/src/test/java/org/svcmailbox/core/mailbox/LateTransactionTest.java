package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.broker.InMemoryBroker.CommitFault;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.ShardKey;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.worker.state.Groups;

/** A batch's commit fails, and the broker ends the transaction only later, one way or the other. */
class LateTransactionTest {
  private static final String TOPIC = "orders";
  private static final TopicName NAME = new TopicName(TOPIC);

  private final MailboxRig rig =
      new MailboxRig(1, Map.of("mailbox.workers", "1", "mailbox.ready_shards", "1"));

  @BeforeEach
  void open() {
    assertInstanceOf(Accepted.class, rig.send(TOPIC, "first", "x"));
  }

  private void commitLate() {
    rig.broker.failNextCommit(CommitFault.LATE);
    assertEquals("broker_away", refused(rig.send(TOPIC, "late", "x")));
    rig.pass(Duration.ofMillis(100));
    assertTrue(rig.mailbox().isHealthy(), "the next session is open");
  }

  private static String refused(SendOutcome outcome) {
    return assertInstanceOf(Refusal.class, outcome).reason();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void untilItEndsThereAreNoSendsAndAllElseGoesOn(boolean takesEffect) {
    commitLate();

    for (int i = 0; i < 20; i++) {
      assertEquals("settling", refused(rig.send(TOPIC, "late", "x")));
      assertEquals("settling", refused(rig.send(TOPIC, "another", "x")));
      rig.pass(Duration.ofSeconds(1));
    }
    LeasedMessage first = only(rig.recvNow(TOPIC, 10));
    assertInstanceOf(
        SettleOutcome.Done.class, rig.ack(first.message().envelope().msgId(), first.receipt()));

    rig.broker.endLateCommit(takesEffect);
    Accepted repeated = assertInstanceOf(Accepted.class, rig.send(TOPIC, "late", "x"));
    assertEquals(takesEffect, repeated.duplicate());
    assertEquals(repeated.msgId(), only(rig.recvNow(TOPIC, 10)).message().envelope().msgId());
    assertInstanceOf(Accepted.class, rig.send(TOPIC, "another", "x"));
    checkLedger(3);
  }

  @Test
  void oneThatDoesNotEndIsToldByReadiness() {
    commitLate();
    rig.pass(Duration.ofSeconds(9));
    assertEquals("", rig.mailbox().projectionTrouble());
    rig.pass(Duration.ofSeconds(2));
    assertEquals(
        "a worker takes no SENDs: an earlier transaction has not ended in the broker",
        rig.mailbox().projectionTrouble());
    rig.broker.endLateCommit(/* takesEffect= */ false);
    rig.pass(Duration.ofSeconds(1));
    assertEquals("", rig.mailbox().projectionTrouble());
  }

  /** Such a letter is in no queue while the transaction is open, and may come back. */
  @Test
  void untilItEndsNobodyJudgesWhichLettersHaveLeftTheirQueue() {
    rig.mailbox().redriveTarget().requireResolved();
    rig.broker.failNextCommit(CommitFault.LATE);
    assertEquals("broker_away", refused(rig.send(TOPIC, "late", "x")));
    assertThrows(UnavailableException.class, () -> rig.mailbox().redriveTarget().requireResolved());
    rig.pass(Duration.ofMillis(100));
    assertTrue(rig.mailbox().isHealthy());
    assertThrows(UnavailableException.class, () -> rig.mailbox().redriveTarget().requireResolved());
    rig.broker.endLateCommit(/* takesEffect= */ false);
    rig.pass(Duration.ofSeconds(1));
    rig.mailbox().redriveTarget().requireResolved();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatItWasIsKnownWithoutAnyFurtherSend(boolean takesEffect) {
    commitLate();
    rig.broker.endLateCommit(takesEffect);
    rig.pass(Duration.ofSeconds(1));
    assertEquals(takesEffect ? 2 : 1, rig.mailbox().registry().countKeys());
    checkLedger(takesEffect ? 2 : 1);
    ShardId shard = rig.mailbox().directory().existing(NAME).shard(0);
    assertEquals(takesEffect ? 2 : 1, rig.mailbox().limits().counters(shard).depth());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aWorkerThatDiesOfItLeavesItToTheNext(boolean takesEffect) {
    rig.broker.dieAtNextCommit(CommitFault.LATE);
    assertEquals("broker_away", refused(rig.send(TOPIC, "late", "x")));
    rig.pass(Duration.ofMillis(100));
    assertEquals("settling", refused(rig.send(TOPIC, "late", "x")));
    rig.broker.endLateCommit(takesEffect);
    Accepted repeated = assertInstanceOf(Accepted.class, rig.send(TOPIC, "late", "x"));
    assertEquals(takesEffect, repeated.duplicate());
    checkLedger(2);
  }

  @Test
  void itsKeyIsNobodysUntilItEnds() {
    rig.crashInto(Map.of("mailbox.workers", "2", "mailbox.ready_shards", "1"));
    put(TopicOverrides.NONE.withReadyShards(8));
    Topic topic = rig.mailbox().directory().existing(NAME);
    String mine = shardKey(topic, 0);
    String other = shardKey(topic, 1);
    rig.send(TOPIC, "one", "x", mine, Duration.ZERO);
    rig.send(TOPIC, "two", "x", other, Duration.ZERO);
    rig.broker.failNextCommit(CommitFault.LATE);
    assertEquals("broker_away", refused(rig.send(TOPIC, "late", "x", mine, Duration.ZERO)));
    rig.pass(Duration.ofMillis(100));

    assertEquals("being_confirmed", refused(rig.send(TOPIC, "late", "x", other, Duration.ZERO)));
    assertInstanceOf(Accepted.class, rig.send(TOPIC, "three", "x", other, Duration.ZERO));
    rig.broker.endLateCommit(/* takesEffect= */ true);
    rig.pass(Duration.ofSeconds(1));
    Accepted repeated =
        assertInstanceOf(Accepted.class, rig.send(TOPIC, "late", "x", other, Duration.ZERO));
    assertEquals(true, repeated.duplicate());
  }

  private static String shardKey(Topic topic, int worker) {
    IdemKey key = new IdemKey("any");
    for (int i = 0; i < 1_000; i++) {
      ShardId shard = topic.shardFor(key, new ShardKey("s" + i));
      if (Groups.ofWorkers(2).workerOf(shard.slot()) == worker) {
        return "s" + i;
      }
    }
    throw new AssertionError("worker " + worker + " has no shard of " + topic);
  }

  @Test
  void aClosedShardKeepsItsQueueUntilItEnds() {
    put(TopicOverrides.NONE.withReadyShards(2));
    Topic topic = rig.mailbox().directory().existing(NAME);
    String key =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "k" + i)
            .filter(k -> topic.shardFor(new IdemKey(k), null).index() == 1)
            .findFirst()
            .orElseThrow();
    rig.broker.failNextCommit(CommitFault.LATE);
    assertEquals("broker_away", refused(rig.send(TOPIC, key, "x")));
    rig.pass(Duration.ofMillis(100));
    put(TopicOverrides.NONE.withReadyShards(1));
    rig.operate(() -> rig.mailbox().queues().step());

    rig.broker.endLateCommit(/* takesEffect= */ true);
    rig.pass(Duration.ofSeconds(1));
    rig.operate(() -> rig.mailbox().queues().step());
    assertEquals(2, rig.broker.everything().size());
  }

  private void put(TopicOverrides overrides) {
    boolean made =
        rig.operate(
            () -> rig.mailbox().topicAdmin().put(rig.caller, NAME, overrides, Precondition.NONE));
    assertEquals(false, made);
  }

  @Test
  void entriesThatDoNotArriveStopSendsAfterALogOfBatches() {
    assertInstanceOf(
        Delivered.class, rig.recvNow(TOPIC, 10), "the log is here, and a message in a lease");
    rig.broker.holdLogs(true);
    int sent = sendUntilRefused("settling");
    assertTrue(sent >= BatchLogEntry.LEAST - 2, () -> sent + " batches");
    assertEquals(sent, received());

    rig.broker.holdLogs(false);
    Accepted accepted = assertInstanceOf(Accepted.class, rig.send(TOPIC, "late", "x"));
    assertEquals(false, accepted.duplicate());
    checkLedger(sent + 2);
  }

  private int sendUntilRefused(String reason) {
    for (int i = 0; i < 2 * BatchLogEntry.SEED; i++) {
      if (rig.send(TOPIC, "k" + i, "x") instanceof Refusal refusal) {
        assertEquals(reason, refusal.reason());
        return i;
      }
    }
    throw new AssertionError("no SEND was refused");
  }

  private int received() {
    int all = 0;
    int some;
    do {
      some = messages(rig.recvNow(TOPIC, 100)).size();
      all += some;
    } while (some > 0);
    return all;
  }

  @Test
  void aStartEndsWithoutIt() {
    commitLate();
    UnavailableException refused = assertThrows(UnavailableException.class, rig::crash);
    assertTrue(String.valueOf(refused.getMessage()).contains("worker 0"), refused::toString);
    rig.broker.endLateCommit(/* takesEffect= */ true);
    rig.crash();
    Accepted repeated = assertInstanceOf(Accepted.class, rig.send(TOPIC, "late", "x"));
    assertEquals(true, repeated.duplicate());
    checkLedger(2);
  }

  @Test
  void aStartSettlesWorkersThatThereAreNoMore() {
    rig.crashInto(Map.of("mailbox.workers", "2", "mailbox.ready_shards", "1"));
    put(TopicOverrides.NONE.withReadyShards(8));
    String other = shardKey(rig.mailbox().directory().existing(NAME), 1);
    rig.broker.failNextCommit(CommitFault.LATE);
    assertEquals("broker_away", refused(rig.send(TOPIC, "late", "x", other, Duration.ZERO)));
    Map<String, String> one = Map.of("mailbox.workers", "1", "mailbox.ready_shards", "1");
    assertThrows(UnavailableException.class, () -> rig.crashInto(one));
    rig.broker.endLateCommit(/* takesEffect= */ false);
    rig.crashInto(one);
    assertEquals(1, rig.mailbox().registry().countKeys());
  }

  private static LeasedMessage only(RecvOutcome outcome) {
    assertEquals(1, messages(outcome).size());
    return messages(outcome).get(0);
  }

  private static List<LeasedMessage> messages(RecvOutcome outcome) {
    return assertInstanceOf(Delivered.class, outcome).messages();
  }

  private void checkLedger(int count) {
    List<LedgerEntry> entries = rig.ledger(rig.mailbox().directory().existing(NAME), 0);
    assertEquals(count, entries.size());
    assertEquals(new LedgerVerdict.Intact(count), LedgerVerdict.check(LedgerHead.EMPTY, entries));
  }
}
