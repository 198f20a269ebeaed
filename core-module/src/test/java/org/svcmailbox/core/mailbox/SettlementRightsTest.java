package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Done;
import org.svcmailbox.core.delivery.SettleOutcome.Stale;
import org.svcmailbox.core.delivery.SettleOutcome.Unknown;
import org.svcmailbox.core.delivery.SettleOutcome.Why;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.problem.Problem;

/** Settling needs a right in the message's own topic, or its lease. */
class SettlementRightsTest {
  private static final String TOPIC = "orders";
  private static final String ENDS = "expires < 2026-11-20T12:01:00Z";
  private static final Instant AFTER = Instant.parse("2026-11-20T12:01:00Z");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final SampleCallers people = new SampleCallers();
  private final MailboxRig rig = new MailboxRig(1, Map.of("mailbox.ready_shards", "1"));

  /** The ways in which a capability ends. */
  enum Over {
    EXPIRED,
    REVOKED
  }

  /** A request about a lease. */
  enum Ask {
    ACK,
    NACK,
    EXTEND;

    SettleRequest of(MsgId msgId, @Nullable Receipt receipt) {
      return switch (this) {
        case ACK -> new SettleRequest.Ack(msgId, receipt);
        case NACK -> new SettleRequest.Nack(msgId, receipt, "no", Duration.ZERO);
        case EXTEND -> new SettleRequest.Extend(msgId, receipt, SECOND);
      };
    }
  }

  private void end(Caller caller, Over over) {
    if (over == Over.REVOKED) {
      people.revoke(caller);
    } else {
      people.now(AFTER);
    }
  }

  /** A new message, leased with a caller's capability. */
  private LeasedMessage leased(Caller caller, String key) {
    rig.caller = SampleCallers.OPERATOR;
    rig.send(TOPIC, key, "x");
    rig.caller = caller;
    return assertInstanceOf(Delivered.class, rig.recvNow(TOPIC, 1)).messages().get(0);
  }

  private static MsgId id(LeasedMessage leased) {
    return leased.message().envelope().msgId();
  }

  private SettleOutcome settle(Caller caller, Ask ask, MsgId msgId, @Nullable Receipt receipt) {
    rig.caller = caller;
    return rig.settle(ask.of(msgId, receipt));
  }

  private void denied(Problem problem, String reason, SettleOutcome outcome) {
    Refusal refusal = assertInstanceOf(Refusal.class, outcome);
    assertEquals(problem, refusal.problem());
    assertEquals(reason, refusal.reason());
  }

  private void isUntouched(LeasedMessage leased) {
    assertEquals(1, rig.mailbox().limits().inflight());
    assertEquals(1, rig.broker.everything().size());
    assertInstanceOf(
        Done.class, settle(SampleCallers.OPERATOR, Ask.ACK, id(leased), leased.receipt()));
  }

  @ParameterizedTest
  @EnumSource
  void aCapabilityForAnotherTopicSettlesNothingHere(Ask ask) {
    LeasedMessage held = leased(people.caller(1), "k");
    Caller other = people.caller(2, "topic = refunds");
    denied(Problem.E_CAP_SCOPE, "topic", settle(other, ask, id(held), held.receipt()));
    denied(Problem.E_CAP_SCOPE, "topic", settle(other, ask, id(held), null));
    Caller narrowed = people.caller(1, "topic = refunds");
    denied(Problem.E_CAP_SCOPE, "topic", settle(narrowed, ask, id(held), held.receipt()));
    isUntouched(held);
  }

  @ParameterizedTest
  @EnumSource
  void aCapabilityWithoutTheOperationSettlesNothing(Ask ask) {
    Caller holder = people.caller(1, "ops = send,recv");
    LeasedMessage held = leased(holder, "k");
    denied(Problem.E_CAP_SCOPE, "operation", settle(holder, ask, id(held), held.receipt()));
    isUntouched(held);
  }

  @Test
  void theHistorySaysWhoRefusedAndWhoseLeaseRanOut() {
    Caller holder = people.caller(1);
    Caller other = people.caller(2);
    LeasedMessage held = leased(holder, "k");
    assertInstanceOf(Done.class, settle(other, Ask.NACK, id(held), held.receipt()));
    rig.caller = holder;
    assertInstanceOf(Delivered.class, rig.recvNow(TOPIC, 1));
    rig.pass(SECOND);
    MessageHistory history = rig.broker.everything().values().iterator().next().history();
    assertEquals(
        List.of(other.capability().id(), holder.capability().id()),
        history.events().stream().map(MessageEvent::by).toList());
  }

  @ParameterizedTest
  @EnumSource
  void whoHoldsALeaseSettlesItAlsoAfterTheirCapability(Over over) {
    Caller holder = people.caller(1, ENDS);
    LeasedMessage first = leased(holder, "a");
    LeasedMessage second = leased(holder, "b");
    LeasedMessage third = leased(holder, "c");
    end(holder, over);
    assertInstanceOf(Done.class, settle(holder, Ask.ACK, id(first), first.receipt()));
    assertInstanceOf(Done.class, settle(holder, Ask.ACK, id(second), null));
    assertInstanceOf(Done.class, settle(holder, Ask.NACK, id(third), null));
    assertEquals(0, rig.mailbox().limits().inflight());
  }

  @ParameterizedTest
  @EnumSource
  void noLeaseIsExtendedWithACapabilityThatIsOver(Over over) {
    Caller holder = people.caller(1, ENDS);
    LeasedMessage held = leased(holder, "k");
    end(holder, over);
    String reason = over.name().toLowerCase(java.util.Locale.ROOT);
    denied(Problem.E_CAP_AUTH, reason, settle(holder, Ask.EXTEND, id(held), held.receipt()));
    denied(Problem.E_CAP_AUTH, reason, settle(holder, Ask.EXTEND, id(held), null));
    rig.pass(SECOND);
    rig.caller = people.caller(2);
    assertEquals(
        id(held),
        id(assertInstanceOf(Delivered.class, rig.recvNow(TOPIC, 1)).messages().get(0)),
        "the lease ended in its time");
  }

  @ParameterizedTest
  @EnumSource
  void nothingNewIsDoneWithACapabilityThatIsOver(Over over) {
    Caller caller = people.caller(1, ENDS);
    leased(caller, "a");
    end(caller, over);
    String reason = over.name().toLowerCase(java.util.Locale.ROOT);
    Refusal send = assertInstanceOf(Refusal.class, rig.send(TOPIC, "b", "x"));
    Refusal recv = assertInstanceOf(Refusal.class, rig.recvNow(TOPIC, 1));
    assertEquals(List.of(reason, reason), List.of(send.reason(), recv.reason()));
    assertEquals(Problem.E_CAP_AUTH, send.problem());
    assertEquals(1, rig.broker.everything().size());
  }

  @ParameterizedTest
  @EnumSource
  void theLeaseOfAnotherIsNotSettledWithARevokedCapability(Ask ask) {
    LeasedMessage held = leased(people.caller(1), "k");
    Caller revoked = people.caller(2);
    people.revoke(revoked);
    denied(Problem.E_CAP_AUTH, "revoked", settle(revoked, ask, id(held), held.receipt()));
    isUntouched(held);
  }

  @Test
  void anythingOfTheHoldersIdIsTheHolder() {
    LeasedMessage held = leased(people.caller(1), "k");
    Caller narrowed = people.caller(1, "ops = ack");
    people.revoke(narrowed);
    denied(Problem.E_CAP_SCOPE, "operation", settle(narrowed, Ask.NACK, id(held), null));
    assertInstanceOf(Done.class, settle(narrowed, Ask.ACK, id(held), held.receipt()));
  }

  @ParameterizedTest
  @EnumSource
  void afterTheLeaseRanOutItsHolderHasNoMoreRightThanOthers(Ask ask) {
    Caller holder = people.caller(1);
    LeasedMessage held = leased(holder, "k");
    rig.pass(SECOND);
    people.revoke(holder);
    denied(Problem.E_CAP_AUTH, "revoked", settle(holder, ask, id(held), held.receipt()));
    assertEquals(1, rig.broker.everything().size());
    Caller other = people.caller(2);
    assertEquals(
        new Stale(Why.EXPIRED), settle(other, Ask.NACK, id(held), held.receipt()), "still there");
    assertInstanceOf(Done.class, settle(other, Ask.ACK, id(held), held.receipt()));
  }

  @Test
  void whoAcknowledgedMaySayItAgainAlsoAfterTheirCapability() {
    Caller holder = people.caller(1);
    LeasedMessage held = leased(holder, "k");
    assertInstanceOf(Done.class, settle(holder, Ask.ACK, id(held), held.receipt()));
    people.revoke(holder);
    assertInstanceOf(Done.class, settle(holder, Ask.ACK, id(held), held.receipt()));
    assertInstanceOf(Done.class, settle(holder, Ask.ACK, id(held), null));
    Caller other = people.caller(2);
    people.revoke(other);
    denied(Problem.E_CAP_AUTH, "revoked", settle(other, Ask.ACK, id(held), held.receipt()));
  }

  @ParameterizedTest
  @EnumSource
  void ofAMessageThatIsNotKnownOnlyThoseLearnThatWhoMaySettleSome(Ask ask) {
    rig.send(TOPIC, "k", "x");
    MsgId unknown = MsgId.create(0, rig.time.instant());
    Caller revoked = people.caller(1);
    people.revoke(revoked);
    denied(Problem.E_CAP_AUTH, "revoked", settle(revoked, ask, unknown, null));
    Caller useless = people.caller(2, "ops = send,recv");
    denied(Problem.E_CAP_SCOPE, "operation", settle(useless, ask, unknown, null));
    assertInstanceOf(
        Unknown.class, settle(people.caller(3, "topic = refunds"), ask, unknown, null));
    Caller expired = people.caller(4, ENDS);
    people.now(AFTER);
    denied(Problem.E_CAP_AUTH, "expired", settle(expired, ask, unknown, null));
  }

  @Test
  void aLeaseOfAnEarlierLifeIsNobodys() {
    Caller holder = people.caller(1);
    LeasedMessage held = leased(holder, "k");
    rig.crash();
    people.revoke(holder);
    denied(Problem.E_CAP_AUTH, "revoked", settle(holder, Ask.ACK, id(held), held.receipt()));
    Caller other = people.caller(2, "topic = refunds");
    denied(Problem.E_CAP_SCOPE, "topic", settle(other, Ask.ACK, id(held), held.receipt()));
    assertEquals(1, rig.broker.everything().size());
    Caller good = people.caller(3, "topic = orders");
    assertInstanceOf(Done.class, settle(good, Ask.ACK, id(held), held.receipt()));
    assertEquals(0, rig.broker.everything().size());
  }

  @Test
  void anInventedReceiptMakesNobodySearchWhereTheCallerMayNotSettle() {
    rig.send(TOPIC, "k", "x");
    MsgId invented = rig.broker.everything().keySet().iterator().next();
    rig.crash();
    Caller other = people.caller(1, "topic = refunds");
    Receipt receipt = new Receipt("invented-1");
    denied(Problem.E_CAP_SCOPE, "topic", settle(other, Ask.ACK, invented, receipt));
    assertEquals(0, rig.broker.delivering(), "messages fetched");
    Caller good = people.caller(2);
    assertInstanceOf(Done.class, settle(good, Ask.ACK, invented, receipt));
  }
}
