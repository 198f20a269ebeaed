package org.svcmailbox.core.mailbox;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.InMemoryBroker.CommitFault;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Done;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.mailbox.SeveralNodes.Node;
import org.svcmailbox.core.message.StoredMessage;

/**
 * Several nodes on one broker against a naive model: one message a key, one lease a message,
 * nothing after its ACK, and the order of each shard. Groups move at random; a subclass may move
 * them in another way.
 */
class GroupMovesProgram {
  static final int NODES = 3;
  static final int GROUPS = 6;
  private static final int SHARDS = 8;
  static final int STEPS = 4_000;

  /** The broker keeps a silent session for as long. */
  private static final Duration SILENCE = Duration.ofSeconds(2);

  /**
   * A lease as its client knows it.
   *
   * @param isMoving whether its group has been moved since, so that it may be at another node, or
   *     have ended
   */
  record Lease(Node node, LeasedMessage message, long deadline, boolean isMoving) {
    Lease(Node node, LeasedMessage message, long deadline) {
      this(node, message, deadline, false);
    }

    Lease moving() {
      return new Lease(node, message, deadline, true);
    }
  }

  static final class Message {
    final Envelope envelope;
    @Nullable Lease lease;

    /** A delivery of the same attempt whose lease did not survive a move. */
    @Nullable LeasedMessage superseded;

    /** Whether no attempt was spent, so that it is where its SEND put it. */
    boolean isInPlace = true;

    boolean isAcked;
    boolean isInDoubt;

    Message(Envelope envelope) {
      this.envelope = envelope;
    }
  }

  private final long seed;
  final Random random;
  private final int workers;
  final SeveralNodes nodes;
  private final Map<String, MsgId> keys = new LinkedHashMap<>();
  private final Set<String> keysInDoubt = new HashSet<>();
  private final Map<MsgId, Message> messages = new HashMap<>();
  private final Map<Node, Integer> opened = new HashMap<>();
  @Nullable Node stopped;
  private long stoppedAt;
  private boolean isLost;
  private int made;
  private int deliveries;
  int moves;
  private int elsewhere;
  int losses;
  private int duplicates;
  private int second;

  GroupMovesProgram(long seed, int workers) {
    this.seed = seed;
    this.random = new Random(seed);
    this.workers = workers;
    this.nodes = new SeveralNodes(NODES, workers, GROUPS, SHARDS);
  }

  /** Has each group come to a node. */
  void begin() {
    for (int group = 0; group < GROUPS; group++) {
      CompletableFuture<Boolean> unused = nodes.nodes.get(random.nextInt(NODES)).take(group);
    }
    nodes.run();
  }

  void run() {
    begin();
    for (int step = 0; step < STEPS; step++) {
      act(random.nextInt(100));
      check();
    }
    end();
    Seeds.requireMet(seed, hasMetEnough(), toString());
  }

  /** Whether the program met what it is for. */
  boolean hasMetEnough() {
    return hasMet(500) && moves > 100 && losses > 5 && handed() > 20 && second > 0;
  }

  /** Leases that moved with their groups. */
  private int handed() {
    return nodes.nodes.stream().mapToInt(node -> node.handed("taken")).sum();
  }

  /** Whether this many messages were delivered, and a tenth as many calls had other outcomes. */
  final boolean hasMet(int delivered) {
    return deliveries > delivered && elsewhere > delivered / 10 && duplicates > delivered / 10;
  }

  @Override
  public String toString() {
    return "%d deliveries, %d moves, %d refusals, %d losses, %d duplicates, %d leases, %d second"
        .formatted(deliveries, moves, elsewhere, losses, duplicates, handed(), second);
  }

  private void act(int dice) {
    if (dice < 25) {
      send(random.nextInt(3) > 0 || made == 0 ? "key-" + made++ : "key-" + random.nextInt(made));
    } else if (dice < 50) {
      recv(node());
    } else if (dice < 73) {
      settle();
    } else if (dice < 75) {
      settleSuperseded();
    } else if (dice < 84) {
      disturb();
    } else if (dice < 87) {
      stopOrGoOn();
    } else if (dice == 87) {
      losses++;
      isLost = true;
      nodes.broker.crash();
      nodes.nodes.forEach(this::endLeases);
      nodes.run();
    } else if (dice == 88) {
      nodes.broker.failNextCommit(random.nextBoolean() ? CommitFault.BEFORE : CommitFault.AFTER);
    } else {
      pass(Duration.ofMillis(random.nextInt(400)));
    }
  }

  /** Lets groups move. */
  void disturb() {
    move(random.nextInt(GROUPS), node());
  }

  /** Lets time pass. */
  void pass(Duration by) {
    nodes.pass(by);
  }

  /** The groups of a stopped node, which has lost its sessions, come to others. */
  void replace(Node lost) {
    for (int group = 0; group < GROUPS; group++) {
      if (holders(group).isEmpty()) {
        CompletableFuture<Boolean> unused = node().take(group);
      }
    }
    nodes.run();
  }

  /** Has each group come to one node for good. */
  void rest() {
    for (int group = 0; group < GROUPS; group++) {
      move(group, nodes.nodes.get(group % NODES));
    }
    for (int i = 0; i < 5; i++) {
      nodes.pass(Duration.ofSeconds(1));
    }
  }

  /** The node that has a group for good. */
  Node owner(int group) {
    return nodes.nodes.get(group % NODES);
  }

  /** One that is not stopped. */
  Node node() {
    List<Node> running = nodes.nodes.stream().filter(node -> !node.isStopped).toList();
    return running.get(random.nextInt(running.size()));
  }

  private List<Node> holders(int group) {
    return nodes.nodes.stream().filter(node -> !node.isStopped && node.holds(group)).toList();
  }

  private void send(String key) {
    List<Node> holders = holders(nodes.slot(key) % GROUPS);
    Node at = holders.isEmpty() || random.nextInt(6) == 0 ? node() : holders.get(0);
    SendOutcome outcome = at.send(key);
    observe();
    if (outcome instanceof Refusal refusal) {
      elsewhere += refusal.reason().equals("group_moving") ? 1 : 0;
      if (!Set.of("group_moving", "settling").contains(refusal.reason())) {
        keysInDoubt.add(key);
      }
      return;
    }
    Accepted accepted = assertInstanceOf(Accepted.class, outcome);
    MsgId known = keys.get(key);
    if (accepted.duplicate()) {
      duplicates++;
      assertTrue(known != null || keysInDoubt.contains(key), () -> "no SEND of " + key);
    } else {
      assertEquals(null, known, "a second message of " + key);
    }
    assertTrue(known == null || known.equals(accepted.msgId()), () -> "another id of " + key);
    keys.put(key, accepted.msgId());
  }

  private void recv(Node at) {
    Duration visibility =
        Duration.ofMillis(250 + random.nextInt(random.nextBoolean() ? 3_000 : 30_000));
    List<LeasedMessage> leased = at.leased(1 + random.nextInt(3), visibility);
    observe();
    learn();
    leased.forEach(one -> delivered(at, one, nodes.time.nanos() + visibility.toNanos()));
  }

  private void delivered(Node at, LeasedMessage leased, long deadline) {
    deliveries++;
    Envelope envelope = leased.message().envelope();
    Message message = messages.get(envelope.msgId());
    if (message == null) {
      throw new AssertionError("never seen: " + envelope);
    }
    assertFalse(message.isAcked, () -> "after its ACK: " + envelope);
    Lease before = message.lease;
    assertTrue(
        before == null || before.isMoving(),
        () -> "leased twice: " + envelope.msgId() + " attempt " + envelope.attempt());
    message.superseded = before == null ? null : before.message();
    message.isInDoubt = false;
    if (envelope.attempt() > 1) {
      message.isInPlace = false;
    }
    if (message.isInPlace) {
      requireFirst(envelope);
    }
    message.lease = new Lease(at, leased, deadline);
  }

  private void requireFirst(Envelope envelope) {
    for (Message other : messages.values()) {
      boolean isReady =
          other.lease == null && !other.isAcked && !other.isInDoubt && other.isInPlace;
      assertFalse(
          isReady
              && other.envelope.shard() == envelope.shard()
              && other.envelope.seq() < envelope.seq(),
          () -> other.envelope.seq() + " is before " + envelope.seq() + " " + envelope.msgId());
    }
  }

  private void settle() {
    List<Message> leased = messages.values().stream().filter(one -> one.lease != null).toList();
    if (leased.isEmpty()) {
      return;
    }
    Message message = leased.get(random.nextInt(leased.size()));
    Lease lease = requireNonNull(message.lease);
    Node at = random.nextInt(8) == 0 || lease.node().isStopped ? node() : lease.node();
    MsgId id = message.envelope.msgId();
    Duration visibility = Duration.ofMillis(250 + random.nextInt(3_000));
    int dice = random.nextInt(4);
    SettleRequest request =
        switch (dice) {
          case 0, 1 -> new SettleRequest.Ack(id, lease.message().receipt());
          case 2 -> new SettleRequest.Nack(id, lease.message().receipt(), "no", Duration.ZERO);
          default -> new SettleRequest.Extend(id, lease.message().receipt(), visibility);
        };
    SettleOutcome outcome = at.settle(request);
    observe();
    if (outcome instanceof Done) {
      assertTrue(lease.isMoving() || at == lease.node(), () -> "not its lease: " + id);
      assertTrue(
          workers > 1 || lease.isMoving() || lease.equals(message.lease),
          () -> "it had ended: " + id);
      done(message, at, lease, dice, visibility);
    } else if (outcome instanceof Refusal refusal) {
      elsewhere += refusal.reason().equals("group_moving") ? 1 : 0;
      // The commit may have happened.
      message.isInDoubt |= refusal.reason().equals(Refusal.BROKER_AWAY);
    } else if (lease.isMoving()) {
      // The node serves the group, and has no such lease.
      message.lease = null;
      message.isInPlace = false;
    } else {
      assertTrue(at != lease.node() || !lease.equals(message.lease), () -> outcome + " for " + id);
    }
  }

  /** Of two deliveries of an attempt, only the later one has a lease. */
  private void settleSuperseded() {
    for (Message message : messages.values()) {
      Lease lease = message.lease;
      LeasedMessage superseded = message.superseded;
      if (superseded != null && lease != null && !lease.isMoving() && lease.node() != stopped) {
        MsgId id = message.envelope.msgId();
        SettleOutcome outcome =
            lease.node().settle(new SettleRequest.Ack(id, superseded.receipt()));
        observe();
        assertFalse(outcome instanceof Done, () -> "two leases: " + id);
        second++;
        return;
      }
    }
  }

  private void done(Message message, Node at, Lease lease, int dice, Duration visibility) {
    long deadline = nodes.time.nanos() + visibility.toNanos();
    if (dice < 3) {
      message.lease = null;
      message.isAcked = dice < 2;
      message.isInPlace = false;
    } else {
      // A group that is on its way may still leave the node.
      message.lease = new Lease(at, lease.message(), deadline, lease.isMoving());
    }
  }

  /** Has another node want a group, and all others give it away, in either order. */
  private void move(int group, Node to) {
    moves++;
    if (random.nextBoolean()) {
      CompletableFuture<Boolean> unused = to.take(group);
      maybeRun();
    }
    for (Node other : nodes.nodes) {
      if (other != to && other != stopped) {
        CompletableFuture<Void> unused = other.giveAway(group);
        moveLeases(other, group);
        maybeRun();
      }
    }
    CompletableFuture<Boolean> unused = to.take(group);
    nodes.run();
    observe();
    if (random.nextInt(3) == 0) {
      // Its leases have had their time, so those that are left go with it.
      nodes.pass(Duration.ofSeconds(1));
      observe();
    }
  }

  private void maybeRun() {
    if (random.nextBoolean()) {
      nodes.run();
    }
  }

  /** A node begins to give a group away. */
  void moveLeases(Node node, int group) {
    for (Message message : leasedAt(node)) {
      if (message.envelope.msgId().slot() % GROUPS == group) {
        message.lease = requireNonNull(message.lease).moving();
      }
    }
  }

  /** Messages leased at a node whose leases have not been moved. */
  private List<Message> leasedAt(Node node) {
    return messages.values().stream()
        .filter(one -> one.lease != null && one.lease.node() == node && !one.lease.isMoving())
        .toList();
  }

  /** One whose time is over has spent its attempt, unless its node was stopped. */
  private void ended(Message message, Lease lease) {
    message.lease = null;
    if (lease.deadline() - nodes.time.nanos() <= 0 && lease.node() != stopped) {
      message.isInPlace = false;
    }
  }

  private void stopOrGoOn() {
    Node node = stopped;
    if (node == null) {
      stopped = node();
      stopped.stop();
      stoppedAt = nodes.time.nanos();
      isLost = false;
    } else if (!isLost && nodes.time.nanos() - stoppedAt >= SILENCE.toNanos()) {
      isLost = true;
      losses++;
      node.loseSessions();
      endLeases(node);
      replace(node);
    } else if (isLost || random.nextInt(3) == 0) {
      stopped = null;
      node.goOn();
      observe();
      recv(node);
    }
    observe();
  }

  void endLeases(Node node) {
    leasedAt(node).forEach(message -> ended(message, requireNonNull(message.lease)));
  }

  /** Notices lost sessions and leases that ran out. */
  void observe() {
    for (Node node : nodes.nodes) {
      Integer sessions = node.opened();
      if (!sessions.equals(opened.put(node, sessions)) || !node.mailbox.isHealthy()) {
        mayHaveEnded(node);
      }
    }
    for (Message message : messages.values()) {
      Lease lease = message.lease;
      if (lease != null && lease.node() != stopped && lease.deadline() - nodes.time.nanos() <= 0) {
        ended(message, lease);
      }
    }
  }

  /** Ends the leases of a node whose worker lost its session; the other worker's may go on. */
  private void mayHaveEnded(Node node) {
    for (Message message : leasedAt(node)) {
      ended(message, requireNonNull(message.lease));
      message.isInPlace &= workers == 1;
    }
  }

  /** Messages of SENDs that were answered, or may have been committed. */
  private void learn() {
    for (StoredMessage stored : nodes.broker.everything().values()) {
      Envelope envelope = stored.envelope();
      messages.computeIfAbsent(envelope.msgId(), id -> new Message(envelope));
    }
  }

  private void check() {
    observe();
    learn();
    Set<MsgId> there = nodes.broker.everything().keySet();
    for (Message message : messages.values()) {
      boolean isThere = there.contains(message.envelope.msgId());
      String key = message.envelope.idemKey().value();
      assertTrue(
          keys.containsKey(key) || keysInDoubt.contains(key), () -> "sent by nobody: " + key);
      assertFalse(message.isAcked && isThere, () -> "back after its ACK: " + message.envelope);
      if (message.isInDoubt && !isThere) {
        message.isAcked = true;
        message.lease = null;
      }
      assertTrue(message.isAcked || isThere, () -> "lost: " + message.envelope);
    }
    keys.values()
        .forEach(id -> assertTrue(messages.containsKey(id), () -> "answered and lost: " + id));
    for (int group = 0; group < GROUPS; group++) {
      int of = group;
      List<Node> holders =
          nodes.nodes.stream()
              .filter(node -> !(node == stopped && isLost) && node.isAware() && node.holds(of))
              .toList();
      assertTrue(holders.size() <= 1, () -> "several hold " + of);
    }
  }

  /** Each group is held in the end, and all that is left can be had. */
  private void end() {
    if (stopped != null) {
      stopped.goOn();
      stopped = null;
    }
    nodes.nodes.forEach(Node::learn);
    nodes.broker.crash();
    rest();
    for (int group = 0; group < GROUPS; group++) {
      assertTrue(owner(group).holds(group), "group " + group);
    }
    for (Map.Entry<String, MsgId> key : List.copyOf(keys.entrySet())) {
      SendOutcome outcome = owner(nodes.slot(key.getKey()) % GROUPS).send(key.getKey());
      assertEquals(new Accepted(key.getValue(), true), outcome);
    }
    for (int i = 0; i < 1_000 && !nodes.broker.everything().isEmpty(); i++) {
      for (Node node : nodes.nodes) {
        drain(node);
      }
      pass(Duration.ofSeconds(1));
    }
    check();
    assertEquals(Set.of(), nodes.broker.everything().keySet());
    checkLedgers();
  }

  private void drain(Node node) {
    List<LeasedMessage> leased = new ArrayList<>(node.leased(100, Duration.ofSeconds(10)));
    observe();
    for (LeasedMessage one : leased) {
      delivered(node, one, nodes.time.nanos() + Duration.ofSeconds(10).toNanos());
      MsgId id = one.message().envelope().msgId();
      assertInstanceOf(Done.class, node.settle(new SettleRequest.Ack(id, one.receipt())));
      Message message = requireNonNull(messages.get(id));
      message.isAcked = true;
      message.lease = null;
    }
  }

  private void checkLedgers() {
    nodes.run();
    Set<MsgId> inLedger = new HashSet<>();
    for (int shard = 0; shard < nodes.topic().shards().size(); shard++) {
      List<LedgerEntry> entries =
          nodes.store.ledger(new LedgerId(nodes.topic().id(), shard), 1, Integer.MAX_VALUE);
      assertEquals(
          new LedgerVerdict.Intact(entries.size()), LedgerVerdict.check(LedgerHead.EMPTY, entries));
      entries.forEach(entry -> assertTrue(inLedger.add(entry.msgId()), "twice in the ledgers"));
    }
    assertEquals(messages.keySet(), inLedger);
    for (Node node : nodes.nodes) {
      assertEquals("", node.mailbox.storeMismatch());
    }
  }
}
