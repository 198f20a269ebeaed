package org.svcmailbox.core.mailbox;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.broker.InMemoryBroker.Call;
import org.svcmailbox.core.broker.InMemoryBroker.CommitFault;
import org.svcmailbox.core.broker.ObservedLetter;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Done;
import org.svcmailbox.core.delivery.SettleOutcome.Stale;
import org.svcmailbox.core.delivery.SettleOutcome.Unknown;
import org.svcmailbox.core.delivery.SettleOutcome.Why;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.ShardId;

/** Edge cases of a mailbox, one by one; the random programs combine them. */
class WorkerTest {
  private static final String TOPIC = "orders";
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static MailboxRig rig(Map<String, String> overrides) {
    return new MailboxRig(1, overrides);
  }

  private static MailboxRig rig() {
    return rig(Map.of("mailbox.ready_shards", "1"));
  }

  private static LeasedMessage one(RecvOutcome outcome) {
    return assertInstanceOf(Delivered.class, outcome).messages().get(0);
  }

  private static MsgId id(LeasedMessage leased) {
    return leased.message().envelope().msgId();
  }

  @Test
  void aWaitingReceiverGetsTheMessageInTheStepThatBringsIt() {
    MailboxRig rig = rig();
    CompletableFuture<RecvOutcome> waiting =
        rig.recv(TOPIC, 1, SECOND, Duration.ofSeconds(30)).outcome().toCompletableFuture();
    assertFalse(waiting.isDone());
    rig.send(TOPIC, "k", "x");
    assertEquals(1, assertInstanceOf(Delivered.class, waiting.join()).messages().size());
  }

  @Test
  void aWaitEndsWithNothingWhenItsTimeIsUp() {
    MailboxRig rig = rig();
    CompletableFuture<RecvOutcome> waiting =
        rig.recv(TOPIC, 1, SECOND, Duration.ofMillis(500)).outcome().toCompletableFuture();
    rig.pass(Duration.ofMillis(499));
    assertFalse(waiting.isDone());
    rig.pass(Duration.ofMillis(1));
    assertEquals(Delivered.NONE, waiting.join());
  }

  @Test
  void anAbandonedAnswerPutsItsMessageBackAtOnceWithoutSpendingAnAttempt() {
    MailboxRig rig = rig();
    rig.send(TOPIC, "k", "x");
    MailboxService.PendingRecv call = rig.recv(TOPIC, 1, Duration.ofHours(1), Duration.ZERO);
    assertEquals(
        1,
        assertInstanceOf(Delivered.class, MailboxRig.answered(call.outcome())).messages().size());
    call.abandon();
    rig.run();
    assertEquals(1, one(rig.recvNow(TOPIC, 1)).message().envelope().attempt());
  }

  @Test
  void anAbandonedWaitTakesNothing() {
    MailboxRig rig = rig();
    MailboxService.PendingRecv call = rig.recv(TOPIC, 1, SECOND, Duration.ofSeconds(30));
    call.abandon();
    rig.send(TOPIC, "k", "x");
    assertEquals(0, rig.mailbox().limits().inflight());
    assertEquals(1, assertInstanceOf(Delivered.class, rig.recvNow(TOPIC, 1)).messages().size());
  }

  @Test
  void aLateAckStillCountsWhileNobodyElseHoldsTheMessage() {
    MailboxRig rig = rig();
    rig.send(TOPIC, "k", "x");
    LeasedMessage first = one(rig.recvNow(TOPIC, 1));
    rig.pass(SECOND);
    assertEquals(0, rig.mailbox().limits().inflight(), "the lease ran out");
    assertInstanceOf(Done.class, rig.ack(id(first), first.receipt()));
    assertEquals(0, rig.broker.everything().size());
  }

  /** Workers also lease for calls that another worker answers, and give those leases back. */
  @Test
  void aLeaseThatNobodyGotLeavesALateAckAsItWas() {
    MailboxRig rig = rig();
    rig.send(TOPIC, "k", "x");
    LeasedMessage first = one(rig.recvNow(TOPIC, 1));
    rig.pass(SECOND);
    rig.recv(TOPIC, 1, Duration.ofHours(1), Duration.ZERO).abandon();
    rig.run();

    assertInstanceOf(Done.class, rig.ack(id(first), first.receipt()));
    assertEquals(0, rig.broker.everything().size());
    assertInstanceOf(Done.class, rig.ack(id(first), first.receipt()), "repeated");
  }

  @Test
  void aStaleReceiptCannotSettleWhatSomebodyElseHolds() {
    MailboxRig rig = rig();
    rig.send(TOPIC, "k", "x");
    LeasedMessage first = one(rig.recvNow(TOPIC, 1));
    rig.pass(SECOND);
    LeasedMessage second = one(rig.recvNow(TOPIC, 1));
    assertEquals(2, second.message().envelope().attempt());
    assertEquals(new Stale(Why.SUPERSEDED), rig.ack(id(first), first.receipt()));
    assertEquals(new Stale(Why.SUPERSEDED), rig.nack(id(first), first.receipt(), null));
    assertInstanceOf(Done.class, rig.ack(id(second), second.receipt()));
    assertInstanceOf(Done.class, rig.ack(id(second), second.receipt()), "repeated");
    assertEquals(new Stale(Why.ACKED), rig.ack(id(first), first.receipt()));
  }

  @Test
  void anAckOfAMessageNobodyReceivedIsUnknown() {
    MailboxRig rig = rig();
    rig.pass(SECOND);
    SendOutcome sent = rig.send(TOPIC, "k", "x");
    MsgId msgId = assertInstanceOf(SendOutcome.Accepted.class, sent).msgId();
    assertInstanceOf(Unknown.class, rig.ack(msgId, null));
    assertInstanceOf(Unknown.class, rig.ack(msgId, new Receipt("invented-1")));
    assertEquals(1, rig.broker.everything().size());
  }

  @Test
  void anAckWhoseCommitFailedIsNotRememberedAsDone() {
    MailboxRig rig = rig();
    rig.send(TOPIC, "k", "x");
    LeasedMessage leased = one(rig.recvNow(TOPIC, 1));
    rig.broker.failNextCommit(CommitFault.BEFORE);
    assertInstanceOf(Refusal.class, rig.ack(id(leased), leased.receipt()));
    rig.pass(SECOND);
    assertEquals(1, rig.broker.everything().size());
    assertInstanceOf(Done.class, rig.ack(id(leased), leased.receipt()));
    assertEquals(0, rig.broker.everything().size());
  }

  @Test
  void anAckFromBeforeTheCrashFindsItsMessage() {
    MailboxRig rig = rig();
    rig.send(TOPIC, "k", "x");
    LeasedMessage leased = one(rig.recvNow(TOPIC, 1));
    rig.crash();
    assertInstanceOf(Done.class, rig.ack(id(leased), leased.receipt()));
    assertEquals(0, rig.broker.everything().size());
  }

  @Test
  void whatComesBackGoesOutBeforeWhatCameLater() {
    MailboxRig rig = rig();
    for (int i = 0; i < 5; i++) {
      rig.send(TOPIC, "k" + i, "x");
    }
    LeasedMessage first = one(rig.recvNow(TOPIC, 1));
    rig.nack(id(first), first.receipt(), Duration.ofMillis(10));
    rig.pass(Duration.ofMillis(10));
    assertEquals(id(first), id(one(rig.recvNow(TOPIC, 1))));
  }

  @Test
  void aSearchForAMessageThatIsComingBackEndsWithTheMessageThatReachesItsBytes() {
    MailboxRig rig = rig();
    int size = 64 * 1024;
    for (int i = 0; i < 200; i++) {
      rig.send(TOPIC, "k" + i, "x".repeat(size));
    }
    one(rig.recvNow(TOPIC, 1));
    rig.isBrokerLate = true;
    rig.pass(SECOND);
    for (int i = 0; i < 3; i++) {
      one(rig.recvNow(TOPIC, 1));
    }
    long held = rig.broker.deliveringBytes();
    long lookAhead = 4L << 20; // the bytes that end a search
    long most = lookAhead + 5L * size;
    assertTrue(held < most, held + " bytes");
  }

  @Test
  void twoMessagesWithOneNumberAreBothDeliveredTheOlderFirst() {
    MailboxRig rig = rig();
    rig.send(TOPIC, "k", "x");
    StoredMessage first = rig.broker.everything().values().iterator().next();
    rig.time.advance(SECOND);
    StoredMessage twin = SampleMessages.twin(first, rig.clock.instant());
    rig.broker.putMessage(new ShardId(new TopicName(TOPIC), 0), twin);

    Delivered both = assertInstanceOf(Delivered.class, rig.recvNow(TOPIC, 2));
    assertEquals(
        List.of(first.envelope().msgId(), twin.envelope().msgId()),
        both.messages().stream().map(WorkerTest::id).toList());
    both.messages().forEach(one -> assertInstanceOf(Done.class, rig.ack(id(one), one.receipt())));
    assertEquals(Map.of(), rig.broker.everything());
  }

  @Test
  void theBrokerIsToldApartWhetherItWentAwayOrTheWorkerFailed() {
    MailboxRig rig = rig();
    rig.send(TOPIC, "k", "x");
    rig.broker.failNextCommit(CommitFault.BEFORE);
    assertInstanceOf(Refusal.class, rig.send(TOPIC, "l", "x"));
    assertEquals(0, rig.broker.failedSessions());

    rig.pass(SECOND);
    rig.broker.silence(Call.FETCH, WorkerTest::fail);
    rig.recv(TOPIC, 1, SECOND, Duration.ZERO);
    assertEquals(1, rig.broker.failedSessions(), "a defect of the worker's own");
  }

  private static void fail() {
    throw new IllegalStateException("a defect");
  }

  @Test
  void aFullInflightCeilingRefusesAndLetsGoAgain() {
    MailboxRig rig = rig(Map.of("mailbox.ready_shards", "1", "mailbox.global_inflight", "2"));
    for (int i = 0; i < 3; i++) {
      rig.send(TOPIC, "k" + i, "x");
    }
    LeasedMessage held = one(rig.recvNow(TOPIC, 3));
    Refusal refusal = assertInstanceOf(Refusal.class, rig.recvNow(TOPIC, 1));
    assertEquals("global_inflight", refusal.reason());
    rig.ack(id(held), held.receipt());
    assertEquals(1, assertInstanceOf(Delivered.class, rig.recvNow(TOPIC, 1)).messages().size());
  }

  @Test
  void aFullTableOfKeysRefusesNewKeysAndStillKnowsTheOldOnes() {
    MailboxRig rig = rig(Map.of("mailbox.ready_shards", "1", "mailbox.dedup_capacity", "2"));
    rig.send(TOPIC, "a", "x");
    rig.send(TOPIC, "b", "x");
    Refusal refusal = assertInstanceOf(Refusal.class, rig.send(TOPIC, "c", "x"));
    assertEquals("dedup_capacity", refusal.reason());
    SendOutcome again = rig.send(TOPIC, "a", "x");
    assertTrue(assertInstanceOf(SendOutcome.Accepted.class, again).duplicate());
  }

  @Test
  void aSaturatedShardRefusesInsteadOfQueueing() {
    MailboxRig rig = rig(Map.of("mailbox.ready_shards", "1", "mailbox.shard_capacity", "2"));
    rig.send(TOPIC, "warm", "x");
    assertFalse(rig.submit(TOPIC, "a").isDone());
    assertFalse(rig.submit(TOPIC, "b").isDone());
    Refusal refusal = assertInstanceOf(Refusal.class, rig.submit(TOPIC, "c").join());
    assertEquals("shard_capacity", refusal.reason());
    rig.run();
    assertInstanceOf(SendOutcome.Accepted.class, rig.send(TOPIC, "c", "x"));
  }

  @Test
  void tooManyWaitsAreRefused() {
    MailboxRig rig = rig(Map.of("mailbox.ready_shards", "1", "mailbox.max_waiting", "1"));
    MailboxService.PendingRecv waiting = rig.recv(TOPIC, 1, SECOND, SECOND);
    MailboxService.PendingRecv refused = rig.recv(TOPIC, 1, SECOND, SECOND);
    assertInstanceOf(Refusal.class, MailboxRig.answered(refused.outcome()));
    rig.pass(SECOND);
    assertEquals(Delivered.NONE, MailboxRig.answered(waiting.outcome()));
    assertFalse(rig.recv(TOPIC, 1, SECOND, SECOND).outcome().toCompletableFuture().isDone());
  }

  @Test
  void aKeyIsTakenForItsWindowAndFreeAfterIt() {
    MailboxRig rig = rig(Map.of("mailbox.ready_shards", "1", "mailbox.t_replay", "10s"));
    rig.send(TOPIC, "k", "x");
    rig.pass(Duration.ofMillis(9_999));
    SendOutcome inside = rig.send(TOPIC, "k", "x");
    assertTrue(assertInstanceOf(SendOutcome.Accepted.class, inside).duplicate());
    assertInstanceOf(SendOutcome.KeyConflict.class, rig.send(TOPIC, "k", "other"));
    rig.pass(Duration.ofMillis(1));
    SendOutcome after = rig.send(TOPIC, "k", "other");
    assertFalse(assertInstanceOf(SendOutcome.Accepted.class, after).duplicate());
  }

  @Test
  void theLastFailureQuarantinesWithReasonAttemptAndError() {
    MailboxRig rig = rig(Map.of("mailbox.ready_shards", "1", "mailbox.max_attempts", "2"));
    rig.send(TOPIC, "k", "x");
    LeasedMessage first = one(rig.recvNow(TOPIC, 1));
    rig.nack(id(first), first.receipt(), Duration.ZERO);
    one(rig.recvNow(TOPIC, 1));
    rig.pass(SECOND);
    ObservedLetter dead = rig.broker.quarantined(new TopicName(TOPIC)).get(0);
    assertEquals(DeadLetterReason.MAX_ATTEMPTS, dead.why().reason());
    assertEquals(2, dead.why().attempt());
    assertEquals("the visibility timeout ran out", dead.why().lastError());
    List<MessageEvent> events = requireNonNull(dead.message()).history().events();
    assertEquals(
        List.of("nacked 1: no", "expired 2: the visibility timeout ran out"),
        events.stream().map(e -> e.kind().text() + " " + e.attempt() + ": " + e.note()).toList());
    assertEquals(SECOND, Duration.between(events.get(0).at(), events.get(1).at()));
    assertEquals(0, rig.broker.everything().size());
  }

  @Test
  void aRejectedMessageIsADeadLetterAtOnceAndSayingSoAgainAnswersTheSame() {
    MailboxRig rig = rig();
    rig.send(TOPIC, "k", "x");
    LeasedMessage held = one(rig.recvNow(TOPIC, 1));
    assertEquals(
        new Stale(Why.SUPERSEDED), rig.reject(id(held), new Receipt("invented-1")), "not theirs");
    assertInstanceOf(Done.class, rig.reject(id(held), held.receipt()));
    ObservedLetter dead = rig.broker.quarantined(new TopicName(TOPIC)).get(0);
    assertEquals(DeadLetterReason.REJECTED, dead.why().reason());
    assertEquals(1, dead.why().attempt());
    assertEquals("never", dead.why().lastError());
    List<MessageEvent> events = requireNonNull(dead.message()).history().events();
    assertEquals(List.of(MessageEvent.Kind.NACKED), events.stream().map(e -> e.kind()).toList());
    assertEquals(0, rig.broker.everything().size());
    assertEquals(0, rig.mailbox().limits().inflight());

    assertInstanceOf(Done.class, rig.reject(id(held), held.receipt()), "repeated");
    assertInstanceOf(Done.class, rig.reject(id(held), null), "repeated without the receipt");
    assertEquals(new Stale(Why.SUPERSEDED), rig.ack(id(held), held.receipt()));
    assertEquals(new Stale(Why.SUPERSEDED), rig.nack(id(held), held.receipt(), null));
    assertEquals(1, rig.broker.quarantined(new TopicName(TOPIC)).size());
  }

  @Test
  void aRejectionWhoseCommitFailedIsNotRememberedAsDone() {
    MailboxRig rig = rig();
    rig.send(TOPIC, "k", "x");
    LeasedMessage held = one(rig.recvNow(TOPIC, 1));
    rig.broker.failNextCommit(CommitFault.BEFORE);
    assertInstanceOf(Refusal.class, rig.reject(id(held), held.receipt()));
    rig.pass(SECOND);
    assertEquals(new Stale(Why.EXPIRED), rig.reject(id(held), held.receipt()));
    assertEquals(1, rig.broker.everything().size());
  }

  @Test
  void theWallClockMovesNoDeadline() {
    MailboxRig rig = rig();
    rig.send(TOPIC, "k", "x");
    one(rig.recvNow(TOPIC, 1));
    rig.time.jumpWall(Duration.ofMinutes(2));
    rig.run();
    assertEquals(1, rig.mailbox().limits().inflight(), "forwards");
    rig.time.jumpWall(Duration.ofMinutes(-4));
    rig.run();
    assertEquals(1, rig.mailbox().limits().inflight(), "backwards");
  }

  @Test
  void whileDrainingWhatIsHeldCanBeSettledAndNothingNewBegins() {
    MailboxRig rig = rig();
    rig.send(TOPIC, "k", "x");
    LeasedMessage held = one(rig.recvNow(TOPIC, 1));
    rig.mailbox().stopIntake();
    assertEquals("draining", assertInstanceOf(Refusal.class, rig.send(TOPIC, "l", "x")).reason());
    assertEquals("draining", assertInstanceOf(Refusal.class, rig.recvNow(TOPIC, 1)).reason());
    assertInstanceOf(Done.class, rig.ack(id(held), held.receipt()));
  }

  @Test
  void keysOfABrokenBatchAreFreedWithoutAnotherSend() {
    MailboxRig rig = rig();
    rig.send(TOPIC, "warm", "x");
    rig.broker.failNextCommit(CommitFault.BEFORE);
    assertInstanceOf(Refusal.class, rig.send(TOPIC, "k", "x"));
    assertEquals(2, rig.mailbox().registry().countKeys());
    rig.pass(SECOND);
    assertEquals(1, rig.mailbox().registry().countKeys());
  }
}
