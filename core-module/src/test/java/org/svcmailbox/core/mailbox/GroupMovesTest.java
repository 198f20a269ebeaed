package org.svcmailbox.core.mailbox;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.InMemoryBroker.CommitFault;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Done;
import org.svcmailbox.core.delivery.SettleOutcome.Stale;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.mailbox.SeveralNodes.Node;

/** Two processes that give groups to each other while both have a session and work. */
class GroupMovesTest {
  private static final int GROUPS = 4;
  private static final int SHARDS = 8;
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final String ELSEWHERE = "group_moving";

  private final SeveralNodes nodes = new SeveralNodes(2, 1, GROUPS, SHARDS);
  private final Node giver = nodes.nodes.get(0);
  private final Node heir = nodes.nodes.get(1);
  private int made;

  @BeforeEach
  void begin() {
    for (int group = 0; group < GROUPS; group++) {
      CompletableFuture<Boolean> waits = giver.take(group);
      nodes.run();
      assertTrue(waits.join());
      assertTrue(giver.holds(group));
    }
  }

  /** A new key of a group. */
  private String key(int group) {
    String key = "k" + made++;
    return nodes.slot(key) % GROUPS == group ? key : key(group);
  }

  private static String refusal(Object outcome) {
    return assertInstanceOf(Refusal.class, outcome).reason();
  }

  private void move(int group, Node from, Node to) {
    CompletableFuture<Boolean> waits = to.take(group);
    nodes.run();
    assertTrue(waits.join());
    assertFalse(to.holds(group), "the other one has the log");
    CompletableFuture<Void> given = from.giveAway(group);
    nodes.run();
    if (!given.isDone()) {
      assertFalse(to.holds(group), "its leases have a second");
      nodes.pass(Duration.ofSeconds(1));
    }
    assertTrue(given.isDone());
    assertTrue(to.holds(group));
    assertFalse(from.holds(group));
  }

  private static SettleOutcome ack(Node node, LeasedMessage message) {
    return node.settle(
        new SettleRequest.Ack(message.message().envelope().msgId(), message.receipt()));
  }

  private static int group(LeasedMessage message) {
    return message.message().envelope().msgId().slot() % GROUPS;
  }

  @Test
  void theHeirHasTheGroupsKeysAndMessagesAndTheGiverRefusesThem() {
    List<String> keys = List.of(key(1), key(1), key(2));
    keys.forEach(key -> assertInstanceOf(Accepted.class, giver.send(key)));
    assertEquals(ELSEWHERE, refusal(heir.send(keys.get(0))));
    move(1, giver, heir);
    for (String key : keys.subList(0, 2)) {
      assertEquals(ELSEWHERE, refusal(giver.send(key)));
      SendOutcome repeated = heir.send(key);
      assertTrue(assertInstanceOf(Accepted.class, repeated).duplicate());
    }
    assertInstanceOf(Accepted.class, heir.send(key(1)));
    assertEquals(ELSEWHERE, refusal(giver.send(key(1))));
    assertInstanceOf(Accepted.class, giver.send(key(2)));
    assertEquals(3, heir.leased(10, LONG).size());
    assertEquals(2, giver.leased(10, LONG).size());
  }

  @Test
  void leasesOfTheGroupGoOnAtTheHeirAndThoseOfOthersAtTheGiver() {
    for (int group = 0; group < GROUPS; group++) {
      assertInstanceOf(Accepted.class, giver.send(key(group)));
    }
    Map<Integer, LeasedMessage> held = new TreeMap<>();
    giver.leased(10, LONG).forEach(one -> held.put(group(one), one));
    assertEquals(GROUPS, held.size());
    move(1, giver, heir);
    assertEquals(GROUPS - 1, giver.mailbox.limits().inflight());
    assertEquals(1, heir.mailbox.limits().inflight());
    assertEquals(List.of(), heir.leased(10, LONG));
    assertEquals(ELSEWHERE, refusal(ack(giver, requireNonNull(held.get(1)))));
    assertEquals(ELSEWHERE, refusal(ack(heir, requireNonNull(held.get(0)))));
    assertInstanceOf(Done.class, ack(heir, requireNonNull(held.get(1))));
    for (int group : List.of(0, 2, 3)) {
      assertInstanceOf(Done.class, ack(giver, requireNonNull(held.get(group))));
    }
    assertEquals(0, nodes.broker.everything().size());
  }

  @Test
  void aLateAckReachesTheHeirAsAfterARestart() {
    // The message is younger than the heir's worker, and older than its OPEN.
    nodes.pass(Duration.ofSeconds(1));
    assertInstanceOf(Accepted.class, giver.send(key(1)));
    LeasedMessage held = giver.leased(1, LONG).get(0);
    loseGiver();
    assertInstanceOf(Done.class, ack(heir, held));
    assertEquals(0, nodes.broker.everything().size());
  }

  /** Stops the giver, and gives its groups to the heir. */
  private void loseGiver() {
    giver.stop();
    giver.loseSessions();
    for (int group = 0; group < GROUPS; group++) {
      CompletableFuture<Boolean> unused = heir.take(group);
    }
    nodes.run();
  }

  private LeasedMessage sentAndLeased(int group, Duration visibility) {
    assertInstanceOf(Accepted.class, giver.send(key(group)));
    return giver.leased(1, visibility).get(0);
  }

  private static int attempt(LeasedMessage message) {
    return message.message().envelope().attempt();
  }

  @Test
  void aGroupThatLeavesLeasesNothingMoreAndDoesEverythingElse() {
    LeasedMessage held = sentAndLeased(1, LONG);
    assertInstanceOf(Accepted.class, giver.send(key(1)));
    CompletableFuture<Boolean> waits = heir.take(1);
    CompletableFuture<Void> given = giver.giveAway(1);
    nodes.run();
    assertEquals(List.of(), giver.leased(10, LONG));
    assertInstanceOf(Accepted.class, giver.send(key(1)));
    assertFalse(given.isDone());
    assertInstanceOf(Done.class, ack(giver, held));
    assertTrue(given.isDone(), "its last lease has ended");
    assertTrue(waits.join());
    assertEquals(2, heir.leased(10, LONG).size());
  }

  @Test
  void aLeaseThatRunsOutWhileItsGroupLeavesSpendsItsAttempt() {
    LeasedMessage held = sentAndLeased(1, Duration.ofMillis(500));
    CompletableFuture<Boolean> unused = heir.take(1);
    CompletableFuture<Void> given = giver.giveAway(1);
    nodes.run();
    nodes.pass(Duration.ofMillis(500));
    assertTrue(given.isDone());
    nodes.pass(Duration.ofSeconds(1));
    assertEquals(2, attempt(heir.leased(1, LONG).get(0)));
    assertInstanceOf(Stale.class, ack(heir, held));
  }

  @Test
  void aLeaseHasTheTimeThatItHadLeft() {
    LeasedMessage held = sentAndLeased(1, Duration.ofSeconds(3));
    move(1, giver, heir);
    nodes.pass(Duration.ofMillis(1_999));
    assertEquals(List.of(), heir.leased(1, LONG));
    nodes.pass(Duration.ofMillis(2));
    nodes.pass(Duration.ofSeconds(1));
    assertEquals(2, attempt(heir.leased(1, LONG).get(0)));
    assertInstanceOf(Stale.class, ack(heir, held));
  }

  @Test
  void aProcessThatWantsAGroupBackKeepsIt() {
    LeasedMessage held = sentAndLeased(1, LONG);
    assertInstanceOf(Accepted.class, giver.send(key(1)));
    CompletableFuture<Void> given = giver.giveAway(1);
    nodes.run();
    CompletableFuture<Boolean> again = giver.take(1);
    nodes.run();
    assertTrue(given.isCompletedExceptionally());
    assertTrue(again.join());
    nodes.pass(Duration.ofSeconds(2));
    assertTrue(giver.holds(1));
    assertEquals(1, giver.leased(10, LONG).size());
    assertInstanceOf(Done.class, ack(giver, held));
  }

  @Test
  void leasesComeBackWithAGroupThatNobodyTook() {
    LeasedMessage held = sentAndLeased(1, LONG);
    CompletableFuture<Void> given = giver.giveAway(1);
    nodes.run();
    nodes.pass(Duration.ofSeconds(1));
    assertTrue(given.isDone());
    assertEquals(0, giver.mailbox.limits().inflight());
    CompletableFuture<Boolean> unused = giver.take(1);
    nodes.run();
    assertEquals(1, giver.mailbox.limits().inflight());
    assertEquals(List.of(), giver.leased(10, LONG));
    assertInstanceOf(Done.class, ack(giver, held));
  }

  @Test
  void leasesAreHandedOverOnce() {
    LeasedMessage held = sentAndLeased(1, LONG);
    move(1, giver, heir);
    heir.stop();
    heir.loseSessions();
    CompletableFuture<Boolean> unused = giver.take(1);
    nodes.run();
    LeasedMessage second = giver.leased(1, LONG).get(0);
    assertEquals(1, attempt(second));
    assertInstanceOf(Stale.class, ack(giver, held));
    assertInstanceOf(Done.class, ack(giver, second));
  }

  @Test
  void aGroupThatComesAgainBringsNoLeasesOfBefore() {
    LeasedMessage held = sentAndLeased(1, LONG);
    move(1, giver, heir);
    assertInstanceOf(Done.class, ack(heir, held));
    move(1, heir, giver);
    move(1, giver, heir);
    assertEquals(1, heir.handed("taken"));
    assertEquals(0, heir.handed("returned"));
  }

  /** The log tells whether the commit happened. */
  @ParameterizedTest
  @EnumSource(names = {"BEFORE", "AFTER"})
  void aHandoverInDoubtHappenedOrDidNot(CommitFault fault) {
    LeasedMessage held = sentAndLeased(1, LONG);
    CompletableFuture<Boolean> unused = heir.take(1);
    CompletableFuture<Void> given = giver.giveAway(1);
    nodes.run();
    nodes.broker.failNextCommit(fault);
    nodes.pass(Duration.ofSeconds(1));
    assertTrue(given.isCompletedExceptionally());
    nodes.pass(Duration.ofSeconds(1));
    assertTrue(heir.holds(1));
    List<LeasedMessage> ready = heir.leased(10, LONG);
    assertEquals(fault == CommitFault.BEFORE ? 1 : 0, ready.size());
    for (LeasedMessage message : ready) {
      assertEquals(1, attempt(message), "no attempt is spent");
    }
    Class<?> outcome = ready.isEmpty() ? Done.class : Stale.class;
    assertEquals(outcome, ack(heir, held).getClass());
  }

  @Test
  void aGiverThatWantsTheGroupBackReadsItsOwnHandoverInDoubt() {
    LeasedMessage held = sentAndLeased(1, LONG);
    CompletableFuture<Void> given = giver.giveAway(1);
    nodes.run();
    nodes.broker.failNextCommit(CommitFault.AFTER);
    nodes.pass(Duration.ofSeconds(1));
    assertTrue(given.isCompletedExceptionally());
    CompletableFuture<Boolean> unused = giver.take(1);
    nodes.pass(Duration.ofSeconds(1));
    assertTrue(giver.holds(1));
    assertEquals(List.of(), giver.leased(10, LONG));
    assertInstanceOf(Done.class, ack(giver, held));
    loseGiver();
    assertEquals(List.of(), heir.leased(10, LONG));
    assertEquals(0, heir.mailbox.limits().inflight());
  }

  @Test
  void leasesEndUnspentIfTheLogTakesNone() {
    LeasedMessage held = sentAndLeased(1, LONG);
    nodes.store.away(true);
    SendOutcome outcome;
    do {
      outcome = giver.send(key(1));
    } while (outcome instanceof Accepted);
    assertEquals("log_full", refusal(outcome));
    CompletableFuture<Boolean> unused = heir.take(1);
    CompletableFuture<Void> given = giver.giveAway(1);
    nodes.run();
    nodes.pass(Duration.ofSeconds(1));
    assertTrue(given.isDone());
    nodes.store.away(false);
    nodes.pass(Duration.ofSeconds(1));
    MsgId id = held.message().envelope().msgId();
    List<LeasedMessage> ready = heir.leased(100, LONG);
    assertTrue(ready.stream().anyMatch(one -> one.message().envelope().msgId().equals(id)));
    ready.forEach(one -> assertEquals(1, attempt(one)));
  }

  @Test
  void aGroupThatLeavesGoesWithItsSession() {
    LeasedMessage held = sentAndLeased(1, LONG);
    CompletableFuture<Boolean> unused = heir.take(1);
    CompletableFuture<Void> given = giver.giveAway(1);
    nodes.run();
    nodes.broker.goDown();
    nodes.run();
    assertTrue(given.isCompletedExceptionally());
    nodes.broker.comeBack();
    nodes.pass(Duration.ofSeconds(1));
    assertTrue(heir.holds(1));
    assertEquals(1, attempt(heir.leased(1, LONG).get(0)));
    assertInstanceOf(Stale.class, ack(heir, held));
    CompletableFuture<Void> again = giver.giveAway(1);
    nodes.run();
    again.join();
  }

  /** Its memory of the first lease is of no use any more. */
  @Test
  void aGroupThatComesBackRemembersNothingOfItsFirstLife() {
    assertInstanceOf(Accepted.class, giver.send(key(1)));
    LeasedMessage first = giver.leased(1, LONG).get(0);
    MsgId id = first.message().envelope().msgId();
    assertInstanceOf(
        Done.class, giver.settle(new SettleRequest.Nack(id, first.receipt(), "no", Duration.ZERO)));
    move(1, giver, heir);
    LeasedMessage second = heir.leased(1, LONG).get(0);
    assertEquals(2, second.message().envelope().attempt());
    assertInstanceOf(Done.class, ack(heir, second));
    nodes.pass(Duration.ofSeconds(1));
    move(1, heir, giver);
    assertEquals(SettleOutcome.UNKNOWN, ack(giver, first));
    assertEquals(SettleOutcome.UNKNOWN, ack(giver, second));
    assertInstanceOf(Accepted.class, giver.send(key(1)));
    assertEquals(1, giver.leased(10, LONG).size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void messagesKeepTheirOrder(boolean planned) {
    String shardMates = key(1);
    int slot = nodes.slot(shardMates);
    for (int sent = 0; sent < 40; ) {
      String key = key(1);
      if (nodes.slot(key) == slot) {
        assertInstanceOf(Accepted.class, giver.send(key));
        sent++;
      }
    }
    // Some are leased, and some are fetched ahead.
    assertEquals(3, giver.leased(3, LONG).size());
    long last = planned ? 3 : 0;
    if (planned) {
      move(1, giver, heir);
    } else {
      loseGiver();
    }
    for (LeasedMessage message : heir.leased(100, LONG)) {
      assertEquals(last + 1, message.message().envelope().seq());
      last++;
    }
    assertEquals(40, last);
  }

  @Test
  void aCallThatWaitsIsRefusedOnceNothingOfItsTopicIsHere() {
    CompletableFuture<RecvOutcome> waiting =
        giver.submit(1, LONG, Duration.ofSeconds(30)).outcome().toCompletableFuture();
    for (int group = 0; group < GROUPS - 1; group++) {
      move(group, giver, heir);
    }
    assertFalse(waiting.isDone());
    move(GROUPS - 1, giver, heir);
    assertEquals(ELSEWHERE, refusal(waiting.join()));
    assertEquals(ELSEWHERE, refusal(giver.recv(1, LONG)));
  }

  @Test
  void aCallThatWaitsAtTheHeirGetsTheGroupsMessages() {
    move(0, giver, heir);
    assertInstanceOf(Accepted.class, giver.send(key(1)));
    CompletableFuture<RecvOutcome> waiting =
        heir.submit(1, LONG, Duration.ofSeconds(30)).outcome().toCompletableFuture();
    assertFalse(waiting.isDone());
    move(1, giver, heir);
    assertTrue(waiting.isDone());
  }

  @Test
  void bothCountTheirOwnMessagesOnly() {
    for (int group = 0; group < GROUPS; group++) {
      assertInstanceOf(Accepted.class, giver.send(key(group)));
      assertInstanceOf(Accepted.class, giver.send(key(group)));
    }
    move(1, giver, heir);
    assertEquals(6, messages(giver));
    assertEquals(2, messages(heir));
    assertEquals(6, giver.mailbox.registry().countKeys());
    assertEquals(2, heir.mailbox.registry().countKeys());
    assertEquals(6, giver.mailbox.limits().keys().total().count());
    assertEquals(2, heir.mailbox.limits().keys().total().count());
  }

  private static long messages(Node node) {
    return node.mailbox.limits().topics().of(SeveralNodes.TOPIC).messages().count();
  }

  @Test
  void aGroupGivenAwayWithoutASessionIsNotOpenedAgain() {
    nodes.broker.goDown();
    nodes.run();
    CompletableFuture<Void> given = giver.giveAway(1);
    nodes.run();
    assertTrue(given.isCompletedExceptionally());
    nodes.broker.comeBack();
    nodes.pass(Duration.ofSeconds(1));
    assertFalse(giver.holds(1));
    assertTrue(giver.holds(2));
    CompletableFuture<Boolean> unused = heir.take(1);
    nodes.run();
    assertTrue(heir.holds(1));
    assertInstanceOf(Accepted.class, heir.send(key(1)));
  }

  @Test
  void anHeirWaitsWithoutAWordWhileTheOtherOneHasTheLog() {
    CompletableFuture<Boolean> unusedTake = heir.take(1);
    for (int i = 0; i < 20; i++) {
      nodes.pass(Duration.ofSeconds(1));
    }
    assertEquals("", heir.mailbox.projectionTrouble());
    assertEquals("settling", refusal(heir.send(key(1))));
    assertInstanceOf(Accepted.class, giver.send(key(1)));
    CompletableFuture<Void> unusedGift = heir.giveAway(1);
    nodes.run();
    assertEquals(ELSEWHERE, refusal(heir.send(key(1))));
    assertInstanceOf(Accepted.class, giver.send(key(1)));
  }

  @Test
  void aProcessThatIsAloneGivesNothingAway() {
    MailboxRig alone = new MailboxRig(1, Map.of());
    assertThrows(
        IllegalStateException.class, () -> alone.mailbox().workers().giveAway(WorkerId.of(0)));
    assertThrows(IllegalStateException.class, () -> alone.mailbox().workers().take(WorkerId.of(0)));
  }
}
