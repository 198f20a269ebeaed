package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.BatchLogEntry.Kind;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.InMemoryBroker.CommitFault;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SettleOutcome.Done;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.worker.handover.HandoverCodec;
import org.svcmailbox.core.worker.handover.HandoverCodec.UnreadableException;

/** One worker that has four groups in one broker session. */
class SeveralGroupsTest {
  private static final String TOPIC = "orders";
  private static final int GROUPS = 4;
  private static final Duration LONG = Duration.ofMinutes(10);

  private final MailboxRig rig =
      new MailboxRig(1, Map.of("mailbox.workers", "1", "mailbox.ready_shards", "16"), GROUPS);
  private int sent;

  @BeforeEach
  void begin() {
    assertInstanceOf(Accepted.class, rig.send(TOPIC, "first", "x"));
  }

  private Topic topic() {
    return rig.mailbox().directory().existing(new TopicName(TOPIC));
  }

  /** A new key whose shard is in a group. */
  private String key(int group) {
    String key = "k" + sent++;
    int slot = topic().shardFor(new IdemKey(key), null).slot();
    return slot % GROUPS == group ? key : key(group);
  }

  private static List<Integer> groups(int from) {
    return IntStream.range(from, GROUPS).boxed().toList();
  }

  /** SENDs to groups in one step. */
  private List<SendOutcome> send(List<String> keys) {
    List<CompletableFuture<SendOutcome>> replies =
        keys.stream().map(key -> rig.submit(TOPIC, key)).toList();
    rig.run();
    return replies.stream().map(MailboxRig::answered).toList();
  }

  private List<String> keys(List<Integer> groups) {
    return groups.stream().map(this::key).toList();
  }

  /** How many batches each log has. */
  private List<Long> batches() {
    rig.broker.crash();
    List<Long> batches =
        groups(0).stream()
            .map(group -> rig.broker.logOf(WorkerId.of(group)))
            .map(SeveralGroupsTest::of)
            .toList();
    reopen();
    return batches;
  }

  private static long of(Map<Long, BatchLogEntry> log) {
    return log.values().stream().filter(BatchLogEntry::isRecord).count();
  }

  private void reopen() {
    rig.run();
    rig.pass(Duration.ofSeconds(1));
    assertTrue(rig.mailbox().isHealthy());
  }

  private static void requireAccepted(List<SendOutcome> outcomes) {
    outcomes.forEach(outcome -> assertInstanceOf(Accepted.class, outcome));
  }

  private static boolean isDuplicate(SendOutcome outcome) {
    return assertInstanceOf(Accepted.class, outcome).duplicate();
  }

  private static String refusal(SendOutcome outcome) {
    return assertInstanceOf(Refusal.class, outcome).reason();
  }

  @Test
  void aStepWithSendsOfAllGroupsIsOneCommitThatChangesAllLogs() {
    List<Long> before = batches();
    int commits = rig.broker.commits();
    requireAccepted(send(keys(groups(0))));
    assertEquals(1, rig.broker.commits() - commits);
    assertEquals(before.stream().map(count -> count + 1).toList(), batches());
  }

  @Test
  void aStepWithSendsOfTwoGroupsLeavesTheOtherLogsAlone() {
    List<Long> before = batches();
    requireAccepted(send(keys(groups(2))));
    List<Long> after = batches();
    assertEquals(before.subList(0, 2), after.subList(0, 2));
    assertEquals(before.get(2) + 1, after.get(2));
    assertEquals(before.get(3) + 1, after.get(3));
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE", "AFTER"})
  void afterALostSessionAllGroupsKnowWhatBecameOfTheirBatch(CommitFault when) {
    List<String> keys = keys(groups(0));
    rig.broker.failNextCommit(when);
    assertEquals(List.of(), send(keys).stream().filter(Accepted.class::isInstance).toList());
    reopen();
    send(keys).forEach(outcome -> assertEquals(when == CommitFault.AFTER, isDuplicate(outcome)));
    assertEquals(1 + GROUPS, rig.broker.everything().size());
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE", "AFTER"})
  void afterTheDeathOfTheWorkerTooAllGroupsKnowWhatBecameOfTheirBatch(CommitFault when) {
    List<String> keys = keys(groups(0));
    rig.broker.dieAtNextCommit(when);
    send(keys);
    reopen();
    send(keys).forEach(outcome -> assertEquals(when == CommitFault.AFTER, isDuplicate(outcome)));
    assertEquals(1 + GROUPS, rig.broker.everything().size());
  }

  @Test
  void onlyGroupsWithATransactionInDoubtTakeNoSends() {
    List<String> doubtful = keys(groups(2));
    rig.broker.failNextCommit(CommitFault.LATE);
    send(doubtful);
    reopen();
    List<SendOutcome> meanwhile = send(keys(groups(0)));
    requireAccepted(meanwhile.subList(0, 2));
    assertEquals("settling", refusal(meanwhile.get(2)));
    assertEquals("settling", refusal(meanwhile.get(3)));

    rig.broker.endLateCommit(/* takesEffect= */ true);
    rig.run();
    send(doubtful).forEach(outcome -> assertTrue(isDuplicate(outcome)));
    requireAccepted(send(keys(groups(0))));
  }

  @Test
  void anotherProcessHasTheKeysOfAllGroups() {
    List<String> keys = keys(groups(0));
    requireAccepted(send(keys));
    rig.crash();
    send(keys).forEach(outcome -> assertTrue(isDuplicate(outcome)));
    rig.restart();
    send(keys).forEach(outcome -> assertTrue(isDuplicate(outcome)));
  }

  @Test
  void leasesOfAllGroupsOutlastAPlannedRestart() throws UnreadableException {
    requireAccepted(send(keys(groups(0))));
    RecvOutcome received = MailboxRig.answered(rig.recv(TOPIC, 10, LONG, Duration.ZERO).outcome());
    Delivered delivered = assertInstanceOf(Delivered.class, received);
    assertEquals(1 + GROUPS, delivered.messages().size());
    rig.stop();
    for (int group : groups(0)) {
      assertEquals(Set.of(group), groupsOfLeases(group));
    }
    rig.startAgain();
    RecvOutcome others = rig.recvNow(TOPIC, 10);
    assertEquals(List.of(), assertInstanceOf(Delivered.class, others).messages());
    delivered
        .messages()
        .forEach(
            one ->
                assertInstanceOf(
                    Done.class, rig.ack(one.message().envelope().msgId(), one.receipt())));
  }

  /** The groups of the leases that a group's log hands over. */
  private Set<Integer> groupsOfLeases(int group) throws UnreadableException {
    Set<Integer> groups = new TreeSet<>();
    for (BatchLogEntry entry : rig.broker.logOf(WorkerId.of(group)).values()) {
      if (entry.kind() == Kind.HANDOVER) {
        HandoverCodec.decode(entry.body())
            .forEach(lease -> groups.add(lease.msgId().slot() % GROUPS));
      }
    }
    return groups;
  }

  @Test
  void aStartOpensAllLogsOnceAndLoadsTheirKeysOnce() {
    requireAccepted(send(keys(groups(0))));
    rig.stop();
    int before = rig.broker.commits();
    rig.startAgain();
    assertEquals(1, rig.broker.commits() - before);
  }

  @Test
  void aProcessWhoseGroupsAnotherHadTakesThemOverAgain() {
    List<String> own = keys(groups(0));
    requireAccepted(send(own));
    Mailbox first = rig.mailbox();
    rig.crash();
    List<String> meanwhile = keys(groups(0));
    requireAccepted(send(meanwhile));
    rig.stop();

    rig.goOnWith(first);
    reopen();
    Stream.of(own, meanwhile)
        .flatMap(keys -> send(keys).stream())
        .forEach(outcome -> assertTrue(isDuplicate(outcome)));
    requireAccepted(send(keys(groups(0))));
    assertEquals("", first.storeMismatch());
    assertEquals("", first.projectionTrouble());
    assertEquals(1 + 3 * GROUPS, rig.broker.everything().size());
    for (int shard = 0; shard < topic().shards().size(); shard++) {
      List<LedgerEntry> entries = rig.ledger(topic(), shard);
      assertEquals(
          new LedgerVerdict.Intact(entries.size()), LedgerVerdict.check(LedgerHead.EMPTY, entries));
    }
  }
}
