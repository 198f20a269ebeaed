package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.broker.InMemoryBroker.Call;
import org.svcmailbox.core.broker.InMemoryBroker.CommitFault;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Done;
import org.svcmailbox.core.delivery.SettleOutcome.Stale;
import org.svcmailbox.core.delivery.SettleRequest.Extend;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicOverrides;

/** Leases that outlive a planned restart. */
class HandoverTest {
  private static final String TOPIC = "orders";
  private static final Duration LONG = Duration.ofMinutes(10);

  private final MailboxRig rig = new MailboxRig(1, settings(1));

  private static Map<String, String> settings(int workers) {
    return Map.of("mailbox.workers", Integer.toString(workers), "mailbox.ready_shards", "4");
  }

  private void send(int messages) {
    for (int i = 0; i < messages; i++) {
      assertInstanceOf(Accepted.class, rig.send(TOPIC, "key-" + i, "x"));
    }
  }

  private List<LeasedMessage> lease(int most, Duration visibility) {
    RecvOutcome outcome =
        MailboxRig.answered(rig.recv(TOPIC, most, visibility, Duration.ZERO).outcome());
    return assertInstanceOf(Delivered.class, outcome).messages();
  }

  /** Of all workers; a call is answered by one. */
  private List<LeasedMessage> leaseAll(int most) {
    List<LeasedMessage> all = new ArrayList<>();
    List<LeasedMessage> more;
    do {
      more = lease(Math.min(100, most - all.size()), LONG);
      all.addAll(more);
    } while (!more.isEmpty() && all.size() < most);
    return all;
  }

  private static MsgId id(LeasedMessage leased) {
    return leased.message().envelope().msgId();
  }

  private SettleOutcome ack(LeasedMessage leased) {
    return rig.ack(id(leased), leased.receipt());
  }

  private SettleOutcome extend(LeasedMessage leased, Duration visibility) {
    return rig.settle(new Extend(id(leased), leased.receipt(), visibility));
  }

  private long handed(String result) {
    return (long)
        rig.mailbox().metrics().stream()
            .filter(metric -> metric.family() == Family.HANDOVER_LEASES_TOTAL)
            .filter(metric -> metric.tags().containsValue(result))
            .mapToDouble(Metric::now)
            .sum();
  }

  private void expectHanded(int taken, int returned) {
    assertEquals(taken, handed("taken"), "taken");
    assertEquals(returned, handed("returned"), "returned");
  }

  @Test
  void aLeasedMessageOutlastsTheRestartInTheBroker() {
    MailboxRig brief =
        new MailboxRig(1, Map.of("mailbox.workers", "1", "mailbox.retention.ready", "5s"));
    assertInstanceOf(Accepted.class, brief.send(TOPIC, "key", "x"));
    Delivered delivered =
        assertInstanceOf(Delivered.class, answered(brief.recv(TOPIC, 1, LONG, Duration.ZERO)));
    brief.pass(Duration.ofMinutes(1));
    brief.stop();
    Instant restart = brief.clock.instant().plus(Duration.ofHours(1));
    StoredMessage message = brief.broker.everything().values().iterator().next();
    assertTrue(message.expiresAt().isAfter(restart), () -> message.expiresAt().toString());

    brief.startAgain();
    assertEquals(Delivered.NONE, answered(brief.recv(TOPIC, 1, LONG, Duration.ZERO)));
    LeasedMessage leased = delivered.messages().get(0);
    assertInstanceOf(Done.class, brief.ack(id(leased), leased.receipt()));
    assertEquals(List.of(), brief.broker.quarantined(new TopicName(TOPIC)));
  }

  /** A message that is written once more loses its place in a journal. */
  @Test
  void aLeasedMessageThatOutlastsTheRestartIsLeftAsItIs() {
    MailboxRig brief =
        new MailboxRig(1, Map.of("mailbox.workers", "1", "mailbox.retention.ready", "2h"));
    assertInstanceOf(Accepted.class, brief.send(TOPIC, "key", "x"));
    answered(brief.recv(TOPIC, 1, LONG, Duration.ZERO));
    Map<MsgId, StoredMessage> before = brief.broker.everything();
    brief.stop();
    assertEquals(before, brief.broker.everything());
  }

  /** A journal that is read again has them at the tail. */
  @ParameterizedTest
  @CsvSource({"60, 102400", "2100, 1"})
  void leasedMessagesAreFoundBehindABacklog(int backlog, int bytes) {
    rig.settings =
        MailboxRig.settings(
            Map.of(
                "mailbox.workers", "1",
                "mailbox.ready_shards", "1",
                "mailbox.retention.ready", "30m"));
    rig.restart();
    String payload = "x".repeat(bytes);
    for (int i = 0; i < 10 + backlog; i++) {
      CompletableFuture<SendOutcome> unused = rig.submit(TOPIC, "key-" + i, payload);
      if (i % 100 == 0) {
        rig.run();
      }
    }
    rig.run();
    List<LeasedMessage> leased = lease(10, LONG);
    rig.stop();
    rig.broker.restart();
    rig.startAgain();
    expectHanded(10, 0);
    leased.forEach(one -> assertInstanceOf(Done.class, ack(one)));
    List<Long> numbers = leaseAll(backlog).stream().map(HandoverTest::number).toList();
    assertEquals(numbers.stream().sorted().toList(), numbers);
    assertEquals(backlog, numbers.size());
  }

  private static long number(LeasedMessage leased) {
    return leased.message().envelope().seq();
  }

  /** The broker has more of the shard than it has read back from its pages. */
  @Test
  void messagesThatAreStillOnDiskAreWaitedFor() {
    send(3);
    List<LeasedMessage> leased = lease(3, LONG);
    rig.stop();
    rig.prepareAgain();
    rig.broker.readBackAfter(1);
    rig.run();
    expectHanded(3, 0);
    leased.forEach(one -> assertInstanceOf(Done.class, ack(one)));
  }

  @Test
  void aStartThatFailsBeforeItsEndTakesNoLeases() {
    send(3);
    List<LeasedMessage> leased = lease(3, LONG);
    rig.stop();
    rig.broker.silence(Call.CREATE_MISSING, HandoverTest::fail);
    assertThrows(UnavailableException.class, rig::prepareAgain);
    rig.startAgain();
    expectHanded(3, 0);
    leased.forEach(one -> assertInstanceOf(Done.class, ack(one)));
  }

  @Test
  void aStartThatCannotChangeAllLogsKeepsTheLeasesOfAll() {
    rig.settings = MailboxRig.settings(settings(2));
    rig.restart();
    send(40);
    List<LeasedMessage> leased = leaseAll(40);
    rig.stop();
    rig.broker.failNextCommit(CommitFault.BEFORE);
    assertThrows(UnavailableException.class, rig::prepareAgain);
    rig.startAgain();
    expectHanded(40, 0);
    leased.forEach(one -> assertInstanceOf(Done.class, ack(one)));
  }

  private static void fail() {
    throw new UnavailableException("on request");
  }

  private static RecvOutcome answered(MailboxService.PendingRecv call) {
    return MailboxRig.answered(call.outcome());
  }

  @Test
  void aPlannedRestartKeepsLeases() {
    send(6);
    List<LeasedMessage> leased = lease(5, LONG);
    rig.restart();
    expectHanded(5, 0);
    assertEquals(5, rig.mailbox().limits().inflight());

    List<LeasedMessage> others = lease(10, LONG);
    assertEquals(1, others.size(), "nobody else receives a leased message");
    assertInstanceOf(Done.class, ack(leased.get(0)));
    assertInstanceOf(Done.class, ack(leased.get(0)), "repeated");
    assertInstanceOf(Done.class, extend(leased.get(1), Duration.ofMinutes(20)));
    assertInstanceOf(
        Done.class, rig.nack(id(leased.get(2)), leased.get(2).receipt(), Duration.ZERO));
    assertInstanceOf(Done.class, rig.reject(id(leased.get(3)), leased.get(3).receipt()));
    LeasedMessage again = lease(10, LONG).get(0);
    assertEquals(id(leased.get(2)), id(again));
    assertEquals(2, again.message().envelope().attempt());
    assertInstanceOf(Stale.class, rig.ack(id(leased.get(1)), new Receipt("another-1")));
    assertInstanceOf(Done.class, ack(leased.get(1)));
  }

  @Test
  void aCrashStillEndsThem() {
    send(1);
    List<LeasedMessage> leased = lease(1, LONG);
    rig.crash();
    expectHanded(0, 0);
    List<LeasedMessage> again = lease(1, LONG);
    assertEquals(id(leased.get(0)), id(again.get(0)));
    assertEquals(1, again.get(0).message().envelope().attempt());
  }

  /** The start after a crash does not take the same leases over again. */
  @Test
  void aHandoverCountsOnce() {
    send(2);
    lease(1, LONG);
    rig.restart();
    expectHanded(1, 0);
    rig.crash();
    expectHanded(0, 0);
    assertEquals(2, lease(10, LONG).size());
  }

  @Test
  void leasesOutliveManyRestarts() {
    send(3);
    List<LeasedMessage> leased = lease(2, LONG);
    for (int i = 0; i < 20; i++) {
      rig.restart();
      expectHanded(2, 0);
    }
    leased.forEach(one -> assertInstanceOf(Done.class, ack(one)));
    assertEquals(1, lease(10, LONG).size());
  }

  /** The time that the service was away does not count. */
  @Test
  void aLeaseEndsAfterTheTimeThatWasLeftAndSpendsAnAttempt() {
    send(1);
    LeasedMessage leased = lease(1, Duration.ofSeconds(60)).get(0);
    rig.pass(Duration.ofSeconds(20));
    rig.stop();
    rig.time.advance(Duration.ofHours(1));
    rig.startAgain();
    rig.pass(Duration.ofSeconds(39));
    assertEquals(List.of(), lease(1, LONG));
    rig.pass(Duration.ofSeconds(2));
    LeasedMessage again = lease(1, LONG).get(0);
    assertEquals(2, again.message().envelope().attempt());
    assertInstanceOf(Stale.class, ack(leased));
  }

  @Test
  void aLateAckAfterTheEndStillCounts() {
    send(1);
    LeasedMessage leased = lease(1, Duration.ofSeconds(5)).get(0);
    rig.restart();
    rig.pass(Duration.ofSeconds(6));
    assertInstanceOf(Done.class, ack(leased));
    assertEquals(List.of(), lease(1, LONG));
  }

  @Test
  void theLimitOfExtensionsIsKept() {
    send(1);
    LeasedMessage leased = lease(1, Duration.ofSeconds(10)).get(0);
    rig.pass(Duration.ofSeconds(9));
    assertInstanceOf(Done.class, extend(leased, Duration.ofSeconds(80)));
    rig.restart();
    SettleOutcome.TooLong tooLong =
        assertInstanceOf(SettleOutcome.TooLong.class, extend(leased, Duration.ofHours(12)));
    Duration left = Duration.ofHours(12).minusSeconds(9);
    assertEquals(left, tooLong.most());
    assertInstanceOf(Done.class, extend(leased, left));
  }

  @Test
  void theCeilingOfACapabilityCounts() {
    send(4);
    rig.caller = new SampleCallers().caller(1, "max_inflight = 2");
    List<LeasedMessage> leased = lease(10, LONG);
    assertEquals(2, leased.size());
    rig.restart();
    RecvOutcome refused = MailboxRig.answered(rig.recv(TOPIC, 1, LONG, Duration.ZERO).outcome());
    assertEquals("max_inflight", assertInstanceOf(Refusal.class, refused).reason());
    assertInstanceOf(Done.class, ack(leased.get(0)));
    assertEquals(1, lease(10, LONG).size());
  }

  @ParameterizedTest
  @CsvSource({"1, 3", "3, 1", "2, 3", "3, 2", "4, 2"})
  void leasesGoToTheWorkersThatOwnTheirShardsNow(int before, int after) {
    rig.settings = MailboxRig.settings(settings(before));
    rig.restart();
    send(40);
    List<LeasedMessage> leased = leaseAll(30);
    rig.settings = MailboxRig.settings(settings(after));
    rig.restart();
    expectHanded(30, 0);
    assertEquals(10, leaseAll(100).size());
    leased.forEach(one -> assertInstanceOf(Done.class, ack(one)));
    rig.crash();
    expectHanded(0, 0);
  }

  @Test
  void aTopicThatWentMeanwhileIsHarmless() {
    send(2);
    List<LeasedMessage> leased = lease(2, LONG);
    Topic topic = rig.mailbox().directory().existing(new TopicName(TOPIC));
    rig.stop();
    rig.topics.delete(topic.id(), topic.name());
    rig.broker.deleteQueues(topic);
    rig.startAgain();
    expectHanded(0, 2);
    send(3);
    assertEquals(3, lease(10, LONG).size(), "a topic of the same name");
    leased.forEach(one -> assertFalse(ack(one) instanceof Done));
  }

  @Test
  void aPausedTopicKeepsItsLeases() {
    send(1);
    LeasedMessage leased = lease(1, LONG).get(0);
    rig.operate(() -> rig.mailbox().topicAdmin().pause(rig.caller, new TopicName(TOPIC)));
    rig.restart();
    expectHanded(1, 0);
    assertInstanceOf(Done.class, ack(leased));
  }

  @Test
  void lessRoomThanLeasesEndsNone() {
    send(5);
    List<LeasedMessage> leased = lease(5, LONG);
    rig.settings =
        MailboxRig.settings(Map.of("mailbox.workers", "1", "mailbox.global_inflight", "2"));
    rig.restart();
    expectHanded(5, 0);
    RecvOutcome refused = MailboxRig.answered(rig.recv(TOPIC, 1, LONG, Duration.ZERO).outcome());
    assertInstanceOf(Refusal.class, refused);
    leased.forEach(one -> assertInstanceOf(Done.class, ack(one)));
    assertEquals(0, rig.mailbox().limits().inflight());
  }

  @ParameterizedTest
  @CsvSource({"BEFORE, 0", "AFTER, 3"})
  void aHandoverWhoseCommitFailsIsThereOrNot(CommitFault fault, int taken) {
    send(3);
    lease(3, LONG);
    rig.broker.failNextCommit(fault);
    rig.restart();
    expectHanded(taken, 0);
    assertEquals(3 - taken, lease(10, LONG).size());
  }

  /** SENDs are acknowledged entries' matter: a log without a spare one cannot take leases. */
  @Test
  void aFullLogEndsLeasesAsACrashDoes() {
    rig.isProjectionLate = true;
    send(2);
    lease(1, LONG);
    rig.log.away(true);
    for (int i = 0; i < 2_000; i++) {
      rig.send(TOPIC, "fill-" + i, "x");
    }
    rig.stop();
    rig.log.away(false);
    rig.startAgain();
    expectHanded(0, 0);
    assertEquals(1, lease(1, LONG).get(0).message().envelope().attempt());
  }

  @Test
  void thousandsOfLeasesNeedSeveralEntries() {
    rig.settings =
        MailboxRig.settings(Map.of("mailbox.workers", "1", "mailbox.global_inflight", "20000"));
    rig.restart();
    rig.operate(
        () ->
            rig.mailbox()
                .topicAdmin()
                .put(
                    rig.caller,
                    new TopicName(TOPIC),
                    TopicOverrides.NONE.withReadyShards(1),
                    Precondition.NONE));
    for (int i = 0; i < 3_000; i++) {
      CompletableFuture<SendOutcome> unused = rig.submit(TOPIC, "key-" + i);
    }
    rig.run();
    List<LeasedMessage> leased = leaseAll(2_500);
    int before = rig.broker.commits();
    rig.stop();
    assertEquals(1, rig.broker.commits() - before, "one transaction");
    rig.startAgain();
    expectHanded(2_500, 0);
    assertEquals(500, leaseAll(1_000).size());
    leased.forEach(one -> assertInstanceOf(Done.class, ack(one)));
  }

  /** The broker goes away before the workers of the next start have their sessions. */
  @Test
  void leasesWaitForTheFirstSession() {
    send(3);
    List<LeasedMessage> leased = lease(3, LONG);
    rig.stop();
    rig.prepareAgain();
    rig.broker.goDown();
    rig.run();
    assertInstanceOf(Refusal.class, ack(leased.get(0)));
    rig.broker.comeBack();
    rig.pass(Duration.ofSeconds(1));
    expectHanded(3, 0);
    leased.forEach(one -> assertInstanceOf(Done.class, ack(one)));
  }

  /** It is stopped before its workers had a session. */
  @Test
  void leasesThatWereNotTakenOverYetGoOnToTheNextStart() {
    send(2);
    List<LeasedMessage> leased = lease(2, LONG);
    rig.stop();
    rig.prepareAgain();
    rig.restart();
    expectHanded(2, 0);
    leased.forEach(one -> assertInstanceOf(Done.class, ack(one)));
  }
}
