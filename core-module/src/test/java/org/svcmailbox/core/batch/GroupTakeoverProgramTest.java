package org.svcmailbox.core.batch;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.batch.GroupTakeover.State;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.core.topic.Fault;

/**
 * Random programs of nodes that take groups from each other, on one database. A node may lose a
 * group without noticing, and then goes on sending and projecting. The broker's part is a map that
 * gives each log to one node, and a naive twin knows what the broker has.
 */
class GroupTakeoverProgramTest {
  private static final int STEPS = 6_000;
  private static final int NODES = 3;
  private static final int GROUPS = 3;
  private static final int NAMES = 60;
  private static final int FAILING = 9;
  private static final BatchLog.Window WINDOW = new BatchLog.Window(70, 60_000);

  static LongStream seeds() {
    Long given = Long.getLong("mailbox.seed");
    return given == null
        ? LongStream.concat(LongStream.rangeClosed(1, 6), LongStream.of(System.nanoTime()))
        : LongStream.of(given);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aGroupIsWholeWhereverItIsHeld(long seed) {
    Program program = new Program(seed);
    for (int step = 0; step < STEPS; step++) {
      program.step();
      if (step % 1_000 == 999) {
        program.quiesce();
      }
    }
    program.requireAll(seed);
  }

  /** A group's part of the broker. */
  private static final class Group {
    private final TreeMap<Long, BatchLogEntry> queue = new TreeMap<>();
    private @Nullable Node owner;

    /** The change of a transaction whose session is gone and whose outcome is open. */
    private BatchLog.@Nullable Change late;

    private long epoch;

    void commit(BatchLog.Change change) {
      change.ended().forEach(entry -> queue.remove(entry.number()));
      change.added().forEach(entry -> queue.put(entry.number(), entry));
    }

    /** The entries that a session receives: none that an open transaction has acknowledged. */
    List<BatchLogEntry> visible() {
      TreeMap<Long, BatchLogEntry> visible = new TreeMap<>(queue);
      if (late != null) {
        late.ended().forEach(entry -> visible.remove(entry.number()));
      }
      return List.copyOf(visible.values());
    }
  }

  /** A process. */
  private static final class Node {
    private final SendRegistry registry;
    private final long life;
    private final List<GroupTakeover> takeovers = new ArrayList<>();
    private final List<BatchLog> logs = new ArrayList<>();

    Node(ProjectionStore store, TestTime time, long life) {
      this.registry = new SendRegistry(store, time::nanos);
      this.life = life;
      registry.begin(new StoreMending(registry, new StoreAcceptance(List.of()), List.of()));
      for (int group = 0; group < GROUPS; group++) {
        takeovers.add(new GroupTakeover(WorkerId.of(group), registry));
        logs.add(new BatchLog(WINDOW, life));
      }
    }

    BatchLog attach(int group) {
      BatchLog log = new BatchLog(WINDOW, life);
      logs.set(group, log);
      takeovers.get(group).attached(log);
      return log;
    }
  }

  private static final class Program {
    private final Random random;
    private final TestTime time = new TestTime();
    private final InMemoryProjectionStore store = new InMemoryProjectionStore();
    private final NaiveRegistry naive = new NaiveRegistry();
    private final List<Group> groups = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final Map<String, Integer> met = new TreeMap<>();
    private int names;

    /** How many commits of a hundred fail in one of three ways. */
    private int failing = FAILING;

    Program(long seed) {
      random = new Random(seed);
      for (int i = 0; i < GROUPS; i++) {
        Group group = new Group();
        for (long number = 1; number <= BatchLogEntry.LEAST; number++) {
          group.queue.put(
              number, BatchLogEntry.blank(number, BatchId.NONE, 1, BatchLogEntry.LEAST));
        }
        groups.add(group);
      }
      for (int i = 0; i < NODES; i++) {
        nodes.add(new Node(store, time, random.nextLong()));
      }
    }

    private void met(String what) {
      met.merge(what, 1, Integer::sum);
    }

    void requireAll(long seed) {
      for (String what :
          List.of(
              "crash",
              "taken from another",
              "taken again",
              "taken by its last writer",
              "released",
              "committed",
              "late",
              "late committed",
              "late rolled back",
              "lost after its commit",
              "sent without the log",
              "opening lost",
              "opening lost after its commit",
              "log full",
              "duplicate",
              "free",
              "purged",
              "away while loading")) {
        assertTrue(met.containsKey(what) || seed > 100, () -> what + " never: " + met);
      }
    }

    void step() {
      int group = random.nextInt(GROUPS);
      int node = random.nextInt(NODES);
      int dice = random.nextInt(1_000);
      if (dice < 550) {
        send(group);
      } else if (dice < 700) {
        goOn(group);
      } else if (dice < 850) {
        project(nodes.get(node));
      } else if (dice < 858) {
        move(group, node);
      } else if (dice < 861) {
        release(group);
      } else if (dice < 910) {
        endLate(group, random.nextBoolean());
      } else if (dice < 950) {
        time.advance(Duration.ofMillis(random.nextInt(1_500)));
      } else if (dice < 970) {
        purge(nodes.get(node));
      } else if (dice < 972) {
        store.away(true);
      } else if (dice < 975) {
        burst(group);
      } else if (dice < 996) {
        store.away(false);
      } else {
        crash(node);
      }
    }

    /** More batches than the log has room for while the database is away. */
    private void burst(int group) {
      store.away(true);
      failing = 0;
      for (int i = 0; i < 2 * WINDOW.entries(); i++) {
        send(group);
      }
      failing = FAILING;
    }

    private void crash(int node) {
      Node dead = nodes.get(node);
      for (Group group : groups) {
        group.owner = group.owner == dead ? null : group.owner;
      }
      boolean wasAway = random.nextBoolean();
      store.away(false);
      nodes.set(node, new Node(store, time, random.nextLong()));
      store.away(wasAway);
      met("crash");
    }

    /** The broker gives a log to another session; its owner may not notice. */
    private void move(int id, int to) {
      Group group = groups.get(id);
      Node owner = group.owner;
      if (owner != null && random.nextBoolean()) {
        owner.takeovers.get(id).lost();
      }
      Node heir = nodes.get(to);
      met(owner == heir ? "taken again" : "taken from another");
      group.owner = heir;
      group.visible().forEach(heir.attach(id)::add);
    }

    private void release(int id) {
      Group group = groups.get(id);
      if (group.owner != null) {
        met("released");
        group.owner.takeovers.get(id).released();
        group.owner = null;
      }
    }

    /** Takes a group a step further where its log is. */
    private void goOn(int id) {
      Group group = groups.get(id);
      Node owner = group.owner;
      if (owner == null) {
        move(id, random.nextInt(NODES));
        return;
      }
      GroupTakeover takeover = owner.takeovers.get(id);
      State before = takeover.state();
      if (before == State.AWAY || before == State.HELD) {
        return;
      }
      group.visible().forEach(owner.logs.get(id)::add);
      BatchLog.Change change = null;
      try {
        change = takeover.next();
      } catch (UnavailableException e) {
        met("away while " + before.name().toLowerCase(Locale.ROOT));
      }
      assertEquals("", takeover.trouble());
      if (takeover.state() != State.ATTACHING) {
        assertEquals(null, group.late, "nothing is decided while a transaction is open");
        naive.resolved(id);
      }
      if (before == State.ATTACHING && takeover.state() == State.HELD) {
        met("taken by its last writer");
      }
      if (change != null) {
        open(group, takeover, change);
      }
    }

    private void open(Group group, GroupTakeover takeover, BatchLog.Change change) {
      int dice = random.nextInt(10);
      if (dice == 0) {
        met("opening lost");
        takeover.lost();
        group.owner = null;
        return;
      }
      group.commit(change);
      if (dice == 1) {
        met("opening lost after its commit");
        takeover.lost();
        group.owner = null;
        return;
      }
      takeover.opened(change);
      assertTrue(takeover.epoch() > group.epoch, "epochs rise");
      group.epoch = takeover.epoch();
    }

    /** Each node that believes to hold the group may send; the broker takes it from one. */
    private void send(int id) {
      List<Node> believers =
          nodes.stream().filter(node -> node.takeovers.get(id).state() == State.HELD).toList();
      if (!believers.isEmpty()) {
        send(id, believers.get(random.nextInt(believers.size())));
      }
    }

    private void send(int id, Node node) {
      WorkerId worker = WorkerId.of(id);
      Group group = groups.get(id);
      boolean isOwner = group.owner == node;
      BatchLog log = node.logs.get(id);
      if (isOwner) {
        group.visible().forEach(log::add);
      }
      BatchId applied = node.registry.projector().applied(worker);
      if (!log.hasRoom(applied)) {
        met("log full");
        return;
      }
      List<Row> rows = rows(id, node, isOwner);
      BatchId batch = new BatchId(log.lastBatch().number() + 1, random.nextLong());
      BatchPages pages = BatchPages.of(rows);
      try {
        node.registry.take(new Batch(worker, batch, pages), time.instant());
      } catch (KeyTakenException e) {
        throw new AssertionError(e);
      }
      BatchLog.Change change = log.append(batch, pages, applied);
      if (isOwner) {
        end(id, node, rows, change);
      } else {
        met("sent without the log");
        node.takeovers.get(id).lost();
      }
    }

    private void end(int id, Node node, List<Row> rows, BatchLog.Change change) {
      Group group = groups.get(id);
      int dice = random.nextInt(100);
      naive.open(id, rows);
      if (dice >= failing) {
        met("committed");
        group.commit(change);
        naive.commit(id);
        naive.answered(id);
        naive.resolved(id);
        BatchLog log = node.logs.get(id);
        change.added().forEach(log::add);
        node.registry.resolve(WorkerId.of(id), log.lastBatch());
        node.registry.projector().release(WorkerId.of(id), log.oldestBatch());
        return;
      }
      group.owner = null;
      node.takeovers.get(id).lost();
      if (dice % 3 == 0) {
        met("late");
        group.late = change;
      } else if (dice % 3 == 1) {
        met("lost after its commit");
        group.commit(change);
        naive.commit(id);
      } else {
        met("rolled back");
      }
    }

    private void endLate(int id, boolean takesEffect) {
      Group group = groups.get(id);
      BatchLog.Change late = group.late;
      if (late == null) {
        return;
      }
      met(takesEffect ? "late committed" : "late rolled back");
      group.late = null;
      if (takesEffect) {
        group.commit(late);
        naive.commit(id);
      }
    }

    /** New messages of a group, with keys of its own: each key has one home. */
    private List<Row> rows(int id, Node node, boolean isOwner) {
      Map<LedgerId, SampleShard> shards = new HashMap<>();
      Set<String> mine = new HashSet<>();
      List<Row> rows = new ArrayList<>();
      for (int i = random.nextInt(6); i > 0; i--) {
        LedgerId ledger = new LedgerId(1, id + GROUPS * random.nextInt(2));
        String name = "g" + id + "k" + random.nextInt(NAMES);
        IdempotencyKey key = SampleShard.key(1, name);
        if (isFree(key, node, isOwner) && mine.add(name)) {
          SampleShard shard =
              shards.computeIfAbsent(
                  ledger, none -> new SampleShard(1, ledger.shard(), node.registry.head(ledger)));
          Instant expiry = time.instant().plusMillis(1 + random.nextInt(20_000));
          rows.add(shard.made(time.instant(), name, expiry));
          names++;
        }
      }
      return rows;
    }

    /** Compares the state of a key with the twin's, where the group really is. */
    private boolean isFree(IdempotencyKey key, Node node, boolean isOwner) {
      Instant now = time.instant();
      Taken state = node.registry.find(List.of(key), now).get(key);
      Reservation live = naive.live(key, now);
      if (isOwner && live == null) {
        met("free");
        assertTrue(state == null || state instanceof Taken.Expired, () -> key + " is " + state);
      } else if (isOwner && !(state instanceof Taken.Unreadable)) {
        met("duplicate");
        Taken.Confirmed confirmed = assertInstanceOf(Taken.Confirmed.class, state);
        assertEquals(requireNonNull(live).msgId(), confirmed.reservation().msgId());
      }
      return state == null || state instanceof Taken.Expired;
    }

    private void project(Node node) {
      if (random.nextInt(20) == 0) {
        store.failNext(random.nextBoolean() ? Fault.BEFORE : Fault.AFTER);
      }
      time.advance(Duration.ofMillis(random.nextInt(50)));
      node.registry.projector().step();
    }

    private void purge(Node node) {
      try {
        if (node.registry.purgeExpired(time.instant(), 1 + random.nextInt(100)) > 0) {
          met("purged");
        }
      } catch (UnavailableException e) {
        // The next one finds the same keys.
      }
    }

    /** Every group is held by some node, and the database has what the broker has. */
    void quiesce() {
      store.away(false);
      for (int id = 0; id < GROUPS; id++) {
        endLate(id, random.nextBoolean());
        hold(id);
      }
      naive
          .ledgers()
          .forEach(
              (ledger, entries) -> {
                assertEquals(entries, store.ledger(ledger, 1, names + 1));
                assertEquals(
                    new LedgerVerdict.Intact(entries.size()),
                    LedgerVerdict.check(LedgerHead.EMPTY, entries));
              });
    }

    private void hold(int id) {
      Group group = groups.get(id);
      for (int i = 0; i < 1_000; i++) {
        Node owner = group.owner;
        if (owner == null || owner.takeovers.get(id).state() == State.AWAY) {
          move(id, random.nextInt(NODES));
        } else if (owner.takeovers.get(id).state() == State.HELD) {
          catchUp(owner);
          assertEquals(owner.logs.get(id).lastBatch(), store.applied(WorkerId.of(id)));
          checkKeys(id, owner);
          return;
        }
        goOn(id);
        time.advance(Duration.ofSeconds(1));
        nodes.forEach(node -> node.registry.projector().step());
      }
      throw new AssertionError("group " + id + " is never held: " + met);
    }

    /** A lane that another node was ahead of goes on at the next look, a second later at most. */
    private void catchUp(Node owner) {
      time.advance(Duration.ofSeconds(1));
      owner.registry.projector().step();
      try {
        owner.registry.projector().drain();
      } catch (UnavailableException e) {
        // It was told to fail once.
        owner.registry.projector().drain();
      }
    }

    private void checkKeys(int id, Node owner) {
      Instant now = time.instant();
      Set<IdempotencyKey> mine = new HashSet<>();
      for (int i = 0; i < NAMES; i++) {
        mine.add(SampleShard.key(1, "g" + id + "k" + i));
      }
      Map<IdempotencyKey, Taken> known = owner.registry.find(mine, now);
      known.values().removeIf(state -> state instanceof Taken.Expired);
      Map<IdempotencyKey, Reservation> live = naive.live(now);
      live.keySet().retainAll(mine);
      assertEquals(live.keySet(), known.keySet());
      known.values().forEach(state -> assertInstanceOf(Taken.Confirmed.class, state));
    }
  }
}
