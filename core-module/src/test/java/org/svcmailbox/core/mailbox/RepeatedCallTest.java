package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.broker.InMemoryBroker.CommitFault;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Stale;
import org.svcmailbox.core.delivery.SettleOutcome.Why;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.Fault;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.RetentionOverrides;
import org.svcmailbox.core.topic.TopicOverrides;

/** Calls repeated after an answer in doubt. */
class RepeatedCallTest {
  private static final TopicName ORDERS = new TopicName("orders");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final MailboxRig rig =
      new MailboxRig(1, Map.of("mailbox.workers", "1", "mailbox.ready_shards", "1"));

  private LeasedMessage recv() {
    RecvOutcome outcome = MailboxRig.answered(rig.recv("orders", 1, SECOND, SECOND).outcome());
    return assertInstanceOf(Delivered.class, outcome).messages().get(0);
  }

  private static MsgId id(LeasedMessage leased) {
    return leased.message().envelope().msgId();
  }

  private static int attempt(LeasedMessage leased) {
    return leased.message().envelope().attempt();
  }

  private LeasedMessage sentAndLeased() {
    rig.send("orders", "k", "x");
    return recv();
  }

  private SettleOutcome nack(LeasedMessage leased) {
    return rig.nack(id(leased), leased.receipt(), Duration.ZERO);
  }

  private void put(TopicOverrides overrides) {
    rig.operate(
        () -> rig.mailbox().topicAdmin().put(rig.caller, ORDERS, overrides, Precondition.NONE));
  }

  private static TopicOverrides overrides(int shards, int maxAttempts) {
    return new TopicOverrides(
        shards, null, null, maxAttempts, null, null, null, RetentionOverrides.NONE);
  }

  private void assertAsAsked(int shards, int maxAttempts) {
    assertEquals(shards, rig.mailbox().directory().existing(ORDERS).settings().readyShards());
    assertEquals(maxAttempts, rig.mailbox().directory().existing(ORDERS).settings().maxAttempts());
    assertEquals(List.of(), rig.broker.createMissing(rig.mailbox().directory().all()));
  }

  @Test
  void anAckThatHappenedIsStaleWhenRepeated() {
    LeasedMessage leased = sentAndLeased();
    rig.broker.failNextCommit(CommitFault.AFTER);
    assertInstanceOf(Refusal.class, rig.ack(id(leased), leased.receipt()));
    rig.pass(SECOND);
    assertEquals(0, rig.broker.everything().size());
    assertEquals(new Stale(Why.EXPIRED), rig.ack(id(leased), leased.receipt()));
  }

  @Test
  void anAckThatDidNotHappenTakesNobodyElsesMessage() {
    LeasedMessage leased = sentAndLeased();
    rig.broker.failNextCommit(CommitFault.BEFORE);
    assertInstanceOf(Refusal.class, rig.ack(id(leased), leased.receipt()));
    rig.pass(SECOND);
    LeasedMessage others = recv();
    assertEquals(1, attempt(others));
    assertEquals(new Stale(Why.SUPERSEDED), rig.ack(id(leased), leased.receipt()));
    assertEquals(SettleOutcome.DONE, rig.ack(id(others), others.receipt()));
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE", "AFTER"})
  void aRepeatedNackSpendsNoSecondAttempt(CommitFault fault) {
    LeasedMessage leased = sentAndLeased();
    rig.broker.failNextCommit(fault);
    assertInstanceOf(Refusal.class, nack(leased));
    rig.pass(SECOND);
    assertInstanceOf(Stale.class, nack(leased));
    LeasedMessage again = recv();
    assertEquals(fault == CommitFault.AFTER ? 2 : 1, attempt(again));
    assertEquals(new Stale(Why.SUPERSEDED), nack(leased));
    assertEquals(SettleOutcome.DONE, rig.ack(id(again), again.receipt()));
  }

  @Test
  void aRepeatedPutMakesTheTopicAsTheRepeatAsks() {
    rig.broker.goDown();
    assertThrows(CompletionException.class, () -> put(overrides(2, 7)));
    rig.broker.comeBack();
    put(overrides(3, 9));
    assertAsAsked(3, 9);
    rig.crash();
    assertAsAsked(3, 9);
  }

  @ParameterizedTest
  @EnumSource
  void aRepeatedPutIsAsIfItWereTheFirst(Fault fault) {
    rig.topics.failNext(fault);
    assertThrows(CompletionException.class, () -> put(overrides(2, 7)));
    put(overrides(2, 7));
    assertAsAsked(2, 7);
    rig.topics.failNext(fault);
    assertThrows(CompletionException.class, () -> put(overrides(4, 8)));
    put(overrides(4, 8));
    assertAsAsked(4, 8);
  }

  @ParameterizedTest
  @EnumSource
  void aRepeatedPauseAndDeletionAreAsIfTheyWereTheFirst(Fault fault) {
    put(overrides(2, 7));
    rig.topics.failNext(fault);
    assertThrows(CompletionException.class, () -> rig.operate(this::pause));
    rig.operate(this::pause);
    assertTrue(rig.mailbox().directory().existing(ORDERS).state().paused());
    rig.topics.failNext(fault);
    assertThrows(CompletionException.class, () -> rig.operate(this::delete));
    rig.operate(this::delete);
    assertEquals(List.of(), rig.mailbox().directory().all());
    rig.crash();
    assertEquals(List.of(), rig.mailbox().directory().all());
  }

  private void pause() {
    rig.mailbox().topicAdmin().pause(rig.caller, ORDERS);
  }

  private void delete() {
    rig.mailbox().topicAdmin().delete(rig.caller, ORDERS);
  }
}
