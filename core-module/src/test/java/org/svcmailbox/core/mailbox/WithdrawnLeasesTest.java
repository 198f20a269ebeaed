package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.CapabilityService.Revoked;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.HoldingService.HeldLease;
import org.svcmailbox.core.delivery.HoldingService.Holder;
import org.svcmailbox.core.delivery.HoldingService.LeaseHolding;
import org.svcmailbox.core.delivery.HoldingService.SharedBound;
import org.svcmailbox.core.delivery.LeaseSelection;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.UnavailableException;

/** Operators see who holds leases, and end them. */
class WithdrawnLeasesTest {
  private static final Duration LONG = Duration.ofHours(12);

  private final SampleCallers people = new SampleCallers();
  private final MailboxRig rig =
      new MailboxRig(1, Map.of("mailbox.ready_shards", "1", "mailbox.max_attempts", "2"));
  private final Caller one = people.caller(1);
  private final Caller other = people.caller(2);

  private List<LeasedMessage> lease(Caller caller, String topic, int count) {
    rig.caller = caller;
    return assertInstanceOf(
            Delivered.class,
            MailboxRig.answered(rig.recv(topic, count, LONG, Duration.ZERO).outcome()))
        .messages();
  }

  private void send(String topic, int count) {
    for (int i = 0; i < count; i++) {
      rig.send(topic, "k" + i, "x");
    }
  }

  private long withdraw(String topic, LeaseSelection which) {
    HoldingService holdings = rig.holdings();
    return rig.operate(
        () -> holdings.withdraw(SampleCallers.OPERATOR, new TopicName(topic), which, "it hangs"));
  }

  private long withdraw(Revoked revoked) {
    HoldingService holdings = rig.holdings();
    return rig.operate(() -> holdings.withdraw(SampleCallers.OPERATOR, revoked));
  }

  private SharedBound leases() {
    return bound("global_inflight");
  }

  private SharedBound bound(String reason) {
    return rig.holdings().holdings(SampleCallers.OPERATOR).stream()
        .filter(bound -> bound.reason().equals(reason))
        .findFirst()
        .orElseThrow();
  }

  private static String nonce(Caller caller) {
    return caller.capability().id().nonce();
  }

  private static SettleRequest extension(LeasedMessage held) {
    return new SettleRequest.Extend(held.message().envelope().msgId(), held.receipt(), LONG);
  }

  private SettleOutcome ack(LeasedMessage held) {
    return rig.ack(held.message().envelope().msgId(), held.receipt());
  }

  @Test
  void theNamespacesOfTopicsAreHoldersToo() {
    List.of("a.1", "a.2", "a.b.3", "b.1", "c", "d").forEach(topic -> send(topic, 1));
    SharedBound topics = bound("topics_max");
    assertEquals(6, topics.used());
    assertEquals(10_000, topics.capacity());
    assertEquals(
        List.of(new Holder("a.*", 3), new Holder("*", 2), new Holder("b.*", 1)), topics.topics());
  }

  @Test
  void theLeasesOfATopicEndAndTheirMessagesAreReadyAgain() {
    send("orders", 3);
    send("letters", 1);
    lease(one, "orders", 3);
    lease(one, "letters", 1);
    assertEquals(3, withdraw("orders", LeaseSelection.ALL));
    assertEquals(1, leases().used());
    List<LeasedMessage> again = lease(other, "orders", 10);
    assertEquals(List.of(2, 2, 2), again.stream().map(WithdrawnLeasesTest::attempt).toList());
    assertEquals(4, leases().used());
  }

  private static int attempt(LeasedMessage held) {
    return held.message().envelope().attempt();
  }

  @Test
  void onlyTheLeasesOfOneCapabilityEnd() {
    send("orders", 2);
    lease(one, "orders", 1);
    lease(other, "orders", 1);
    assertEquals(1, withdraw("orders", LeaseSelection.of(nonce(one))));
    assertEquals(List.of(new Holder(nonce(other), 1)), leases().capabilities());
  }

  @Test
  void aRevocationEndsTheLeasesOfAllTopics() {
    send("orders", 1);
    send("letters", 1);
    lease(one, "orders", 1);
    lease(one, "letters", 1);
    assertEquals(
        2, withdraw(new Revoked(Operation.REVOKE, nonce(one), one.capability().id()::equals)));
    assertEquals(0, leases().used());
    assertEquals(List.of(), leases().topics());
  }

  @Test
  void aSecondTimeThereIsNothingToEnd() {
    send("orders", 1);
    lease(one, "orders", 1);
    assertEquals(1, withdraw("orders", LeaseSelection.ALL));
    assertEquals(0, withdraw("orders", LeaseSelection.ALL));
  }

  @Test
  void theHolderCannotExtendAndItsAckSucceedsUntilAnotherHasTheMessage() {
    send("orders", 2);
    List<LeasedMessage> held = lease(one, "orders", 2);
    withdraw("orders", LeaseSelection.ALL);
    assertInstanceOf(SettleOutcome.Stale.class, rig.settle(extension(held.get(0))));
    assertEquals(SettleOutcome.DONE, ack(held.get(0)));
    assertEquals(1, lease(other, "orders", 2).size());
    rig.caller = one;
    assertInstanceOf(SettleOutcome.Stale.class, ack(held.get(1)));
  }

  /** The worker takes the calls of clients before it ends what is over. */
  @Test
  void anExtensionThatComesBetweenTheWithdrawalAndTheEndIsRefused() {
    send("orders", 1);
    LeasedMessage held = lease(one, "orders", 1).get(0);
    List<CompletionStage<SettleOutcome>> extended = new ArrayList<>();
    Revoked asTheWorkerLooks =
        new Revoked(
            Operation.REVOKE,
            nonce(one),
            id -> extended.add(rig.mailbox().settle(one, extension(held))));
    assertEquals(1, withdraw(asTheWorkerLooks));
    assertInstanceOf(SettleOutcome.Stale.class, extended.get(0).toCompletableFuture().join());
    assertEquals(1, lease(other, "orders", 1).size());
  }

  @Test
  void theLastAttemptBecomesADeadLetter() {
    send("orders", 1);
    lease(one, "orders", 1);
    withdraw("orders", LeaseSelection.ALL);
    lease(one, "orders", 1);
    withdraw("orders", LeaseSelection.ALL);
    assertEquals(List.of(), lease(one, "orders", 1));
    assertEquals(1, rig.broker.deadLetters(new TopicName("orders")));
  }

  @Test
  void theLeasesOfAPausedTopicEndToo() {
    send("orders", 1);
    lease(one, "orders", 1);
    rig.administer(
        () -> rig.mailbox().topicAdmin().pause(SampleCallers.OPERATOR, new TopicName("orders")));
    assertEquals(1, withdraw("orders", LeaseSelection.ALL));
    assertEquals(0, leases().used());
  }

  @Test
  void holdersAreListedGreatestFirst() {
    send("orders", 3);
    send("letters", 1);
    lease(one, "orders", 3);
    lease(other, "letters", 1);
    assertEquals(List.of(new Holder("orders", 3), new Holder("letters", 1)), leases().topics());
    assertEquals(
        List.of(new Holder(nonce(one), 3), new Holder(nonce(other), 1)), leases().capabilities());
  }

  private List<HeldLease> listed(Caller caller, String topic, int limit) {
    HoldingService holdings = rig.holdings();
    return rig.operate(() -> holdings.leases(caller, new TopicName(topic), limit));
  }

  @Test
  void theLeasesOfATopicAreListedOldestFirst() {
    send("orders", 3);
    send("letters", 1);
    LeasedMessage first = lease(one, "orders", 1).get(0);
    rig.pass(Duration.ofSeconds(5));
    lease(other, "orders", 2);
    lease(other, "letters", 1);
    List<HeldLease> all = listed(SampleCallers.OPERATOR, "orders", 100);
    assertEquals(3, all.size());
    HeldLease oldest = all.get(0);
    assertEquals(first.message().envelope().msgId(), oldest.msgId());
    assertEquals(1, oldest.attempt());
    assertEquals(nonce(one), oldest.holder());
    assertEquals(LONG, Duration.between(oldest.leasedAt(), oldest.deadline()));
    assertEquals(LONG, Duration.between(oldest.leasedAt(), oldest.until()));
    assertEquals(Duration.ofSeconds(5), Duration.between(oldest.leasedAt(), all.get(2).leasedAt()));
    assertEquals(all.subList(0, 2), listed(SampleCallers.OPERATOR, "orders", 2));
    assertEquals(
        all.stream().map(HeldLease::withoutHolder).toList(),
        listed(people.caller(3, "ops = peek"), "orders", 100));
    HoldingService holdings = rig.holdings();
    Caller client = people.caller(3, "ops = recv,ack");
    assertThrows(DeniedException.class, () -> holdings.leases(client, new TopicName("orders"), 1));
    assertThrows(
        NotFoundException.class,
        () -> holdings.leases(SampleCallers.OPERATOR, new TopicName("missing"), 1));
  }

  @Test
  void holdersAreNamedAndCounted() {
    send("orders", 2);
    send("letters", 1);
    lease(one, "orders", 2);
    lease(one, "letters", 1);
    send("mails", 1);
    lease(other, "mails", 1);
    rig.names = nonces -> Map.of(nonce(one), "stock of the shop");
    assertEquals(
        List.of("stock of the shop", "stock of the shop"),
        listed(SampleCallers.OPERATOR, "orders", 9).stream().map(HeldLease::holderName).toList());
    assertNull(listed(SampleCallers.OPERATOR, "mails", 9).get(0).holderName(), "it has no note");
    assertNull(listed(people.caller(3, "ops = peek"), "orders", 1).get(0).holderName());
    List<LeaseHolding> holders =
        rig.operate(() -> rig.holdings().leaseHolders(SampleCallers.OPERATOR));
    assertEquals("stock of the shop", holders.get(0).holderName());
    assertNull(holders.get(1).holderName());
    Map<String, Long> counts =
        rig.operate(() -> rig.holdings().leaseCounts(SampleCallers.OPERATOR));
    assertEquals(Map.of(nonce(one), 3L, nonce(other), 1L), counts);
    Caller client = people.caller(3, "ops = audit", "topic = orders");
    assertThrows(DeniedException.class, () -> rig.holdings().leaseCounts(client));
  }

  @Test
  void leasesAreListedWithoutNamesWhileTheDatabaseIsAway() {
    send("orders", 1);
    lease(one, "orders", 1);
    rig.names =
        nonces -> {
          throw new UnavailableException("the database is away");
        };
    HeldLease held = listed(SampleCallers.OPERATOR, "orders", 1).get(0);
    assertEquals(nonce(one), held.holder());
    assertNull(held.holderName());
  }

  /** The console's capability for a revocation ends them, but not those of a root key. */
  @Test
  void whoMayRevokeMayEndTheLeasesOfWhatIsRevoked() {
    send("orders", 1);
    lease(one, "orders", 1);
    Caller revoker = people.caller(3, "ops = revoke");
    HoldingService holdings = rig.holdings();
    Revoked key = new Revoked(Operation.ADMIN, "k", id -> true);
    assertThrows(DeniedException.class, () -> holdings.withdraw(revoker, key));
    Revoked revoked = new Revoked(Operation.REVOKE, nonce(one), one.capability().id()::equals);
    assertEquals(1, (long) rig.operate(() -> holdings.withdraw(revoker, revoked)));
    assertEquals(0, leases().used());
  }

  @Test
  void itIsAuditedAndNeedsTheRight() {
    send("orders", 1);
    withdraw("orders", LeaseSelection.ALL);
    assertTrue(rig.audit.stream().map(AuditEntry::action).anyMatch("topic.leases.end"::equals));
    HoldingService holdings = rig.holdings();
    TopicName orders = new TopicName("orders");
    Caller client = people.caller(3, "ops = send,recv");
    assertThrows(
        DeniedException.class, () -> holdings.withdraw(client, orders, LeaseSelection.ALL, "n"));
    assertThrows(DeniedException.class, () -> holdings.holdings(client));
    Revoked all = new Revoked(Operation.ADMIN, "k", id -> true);
    assertThrows(DeniedException.class, () -> holdings.withdraw(client, all));
    assertThrows(
        NotFoundException.class,
        () ->
            holdings.withdraw(
                SampleCallers.OPERATOR, new TopicName("missing"), LeaseSelection.ALL, "n"));
  }
}
