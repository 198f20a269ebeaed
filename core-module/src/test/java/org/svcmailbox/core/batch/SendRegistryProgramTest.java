package org.svcmailbox.core.batch;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.core.topic.Fault;

/**
 * Random programs of workers, their logs, a database and a projector. Commits fail or end late,
 * sessions are lost, the process crashes, the database is away, fails, ends transactions late and
 * falls back. The broker's part is a map, and a naive twin knows what it has.
 */
class SendRegistryProgramTest {
  private static final int STEPS = 3_000;
  private static final int WORKERS = 3;
  private static final int TOPICS = 2;
  private static final int NAMES = 300;
  private static final BatchLog.Window WINDOW = new BatchLog.Window(90, 60_000);

  /** So many entries of a log are behind what the database falls back to. */
  private static final int REACH = 40;

  static LongStream seeds() {
    Long given = Long.getLong("mailbox.seed");
    return given == null
        ? LongStream.concat(LongStream.rangeClosed(1, 4), LongStream.of(System.nanoTime()))
        : LongStream.of(given);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatTheBrokerHasIsInTheDatabaseOnceAndInOrder(long seed) {
    Program program = new Program(seed);
    for (int step = 0; step < STEPS; step++) {
      program.step();
      if (step % 500 == 499) {
        program.quiesce();
        program.check();
      }
    }
    program.met.requireAll(seed);
  }

  /** How often a program met what it is there for. */
  private static final class Met {
    private final Map<String, Integer> counts = new TreeMap<>();

    void met(String what) {
      counts.merge(what, 1, Integer::sum);
    }

    void requireAll(long seed) {
      for (String what :
          List.of(
              "committed",
              "rolled back",
              "late",
              "late committed",
              "late rolled back",
              "lost after its commit",
              "log full",
              "crash",
              "crash of a start",
              "fall back",
              "re-applied",
              "late in the database",
              "duplicate",
              "unconfirmed",
              "unreadable",
              "taken over",
              "inherited",
              "purged")) {
        assertTrue(counts.containsKey(what) || seed > 100, () -> what + " never: " + counts);
      }
    }
  }

  /** A worker's part of the broker, and its session. */
  private static final class Worker {
    private final TreeMap<Long, BatchLogEntry> queue = new TreeMap<>();
    private long stamp;
    private BatchLog log = new BatchLog(WINDOW, 7);
    private boolean isResolved;

    /** The change of a transaction whose outcome is open. */
    private BatchLog.@Nullable Change late;

    void commit(BatchLog.Change change) {
      change.ended().forEach(entry -> queue.remove(entry.number()));
      change.added().forEach(entry -> queue.put(entry.number(), entry));
    }

    /** The entries that a new session receives: none that an open transaction has acknowledged. */
    BatchLog session() {
      TreeMap<Long, BatchLogEntry> visible = new TreeMap<>(queue);
      if (late != null) {
        late.ended().forEach(entry -> visible.remove(entry.number()));
      }
      BatchLog session = new BatchLog(WINDOW, 7);
      visible.values().forEach(session::add);
      return session;
    }
  }

  private static final class Program {
    private final Random random;
    private final TestTime time = new TestTime();
    private final InMemoryProjectionStore store = new InMemoryProjectionStore();
    private final List<Worker> workers = new ArrayList<>();
    private final NaiveRegistry naive = new NaiveRegistry();
    private final Met met = new Met();
    private SendRegistry registry = new SendRegistry(store, time::nanos);
    private @Nullable InMemoryProjectionStore earlier;

    /** SENDs since the database fell back; it is noticed before the logs have moved on. */
    private int sinceFallBack = Integer.MIN_VALUE;

    Program(long seed) {
      random = new Random(seed);
      for (int worker = 0; worker < WORKERS; worker++) {
        Worker made = new Worker();
        BatchLogEntry.seed(BatchId.NONE).forEach(entry -> made.queue.put(entry.number(), entry));
        workers.add(made);
      }
      crash();
    }

    void step() {
      int dice = random.nextInt(1_000);
      if (dice < 600) {
        send(Math.min(random.nextInt(WORKERS), random.nextInt(WORKERS)));
      } else if (dice < 780) {
        project();
      } else if (dice < 840) {
        endLate(random.nextInt(WORKERS), random.nextBoolean());
      } else if (dice < 900) {
        time.advance(Duration.ofMillis(random.nextInt(1_500)));
      } else if (dice < 925) {
        purge();
      } else if (dice < 935) {
        store.away(true);
      } else if (dice < 937 && sinceFallBack < 0) {
        burst(random.nextInt(WORKERS));
      } else if (dice < 940) {
        store.away(false);
      } else if (dice < 960) {
        store.endLate(random.nextBoolean());
      } else if (dice < 980) {
        earlier = store.copy();
      } else if (dice < 993) {
        fallBack();
      } else {
        crash();
      }
      if (sinceFallBack > REACH / 4) {
        noticeFallBack();
      }
    }

    /** More SENDs than the log has room for while the database is away. */
    private void burst(int id) {
      store.away(true);
      for (int i = 0; i < 2 * WINDOW.entries(); i++) {
        endLate(id, random.nextBoolean());
        send(id);
      }
    }

    private void crash() {
      met.met("crash");
      while (!begins()) {
        met.met("crash of a start");
      }
      sinceFallBack = Integer.MIN_VALUE;
    }

    /** A start: all logs are whole, then the database catches up. */
    private boolean begins() {
      store.endLate(random.nextBoolean());
      store.away(false);
      registry = new SendRegistry(store, time::nanos);
      List<StoreStanding> standings = new ArrayList<>();
      for (int id = 0; id < WORKERS; id++) {
        Worker worker = workers.get(id);
        endLate(id, random.nextBoolean());
        naive.resolved(id);
        worker.isResolved = false;
        worker.stamp = random.nextLong();
        BatchLog session = worker.session();
        assertTrue(session.isWhole());
        StoreStanding standing = StoreStanding.of(WorkerId.of(id), session, registry);
        assertFalse(standing.isMismatch(), standing::detail);
        standings.add(standing);
      }
      try {
        SampleStart.begin(registry, standings);
        return true;
      } catch (UnavailableException e) {
        return false;
      }
    }

    private boolean resolve(int id) {
      Worker worker = workers.get(id);
      if (worker.isResolved) {
        return true;
      }
      worker.log = worker.session();
      assertEquals(worker.late == null, worker.log.isWhole(), "only an open outcome is a hole");
      if (worker.log.isWhole()) {
        registry.resolve(WorkerId.of(id), worker.log.lastBatch());
        naive.resolved(id);
        worker.isResolved = true;
      }
      return worker.isResolved;
    }

    private void send(int id) {
      Worker worker = workers.get(id);
      if (!resolve(id)) {
        return;
      }
      if (!worker.log.hasRoom(registry.projector().applied(WorkerId.of(id)))) {
        met.met("log full");
        return;
      }
      Map<IdempotencyKey, Reservation> released = new HashMap<>();
      List<Row> rows = rows(id, released);
      BatchId batch = new BatchId(worker.log.lastBatch().number() + 1, worker.stamp);
      BatchPages pages = BatchPages.of(rows);
      try {
        registry.take(new Batch(WorkerId.of(id), batch, pages), time.instant(), released);
      } catch (KeyTakenException e) {
        assertTrue(sinceFallBack >= 0, "only a page that the database lost is not found");
        return;
      }
      sinceFallBack += sinceFallBack >= 0 ? 1 : 0;
      naive.open(id, rows);
      end(id, worker.log.append(batch, pages, registry.projector().applied(WorkerId.of(id))));
    }

    private void end(int id, BatchLog.Change change) {
      Worker worker = workers.get(id);
      int dice = random.nextInt(100);
      if (dice < 85) {
        met.met("committed");
        worker.commit(change);
        naive.commit(id);
        change.added().forEach(worker.log::add);
        registry.resolve(WorkerId.of(id), worker.log.lastBatch());
        registry.projector().release(WorkerId.of(id), worker.log.oldestBatch());
        naive.answered(id);
        naive.resolved(id);
        return;
      }
      worker.isResolved = false;
      if (dice < 90) {
        met.met("late");
        worker.late = change;
      } else if (dice < 95) {
        met.met("lost after its commit");
        worker.commit(change);
        naive.commit(id);
      } else {
        met.met("rolled back");
      }
    }

    private void endLate(int id, boolean takesEffect) {
      Worker worker = workers.get(id);
      if (worker.late != null) {
        met.met(takesEffect ? "late committed" : "late rolled back");
        if (takesEffect) {
          worker.commit(worker.late);
          naive.commit(id);
        }
        worker.late = null;
      }
    }

    /** New messages for shards of a worker, with keys that are free or of its letters. */
    private List<Row> rows(int id, Map<IdempotencyKey, Reservation> released) {
      Map<LedgerId, SampleShard> shards = new HashMap<>();
      Set<IdempotencyKey> mine = new HashSet<>();
      List<Row> rows = new ArrayList<>();
      for (int i = random.nextInt(8); i > 0; i--) {
        int topic = 1 + random.nextInt(TOPICS);
        LedgerId ledger = new LedgerId(topic, id + WORKERS * random.nextInt(2));
        String name = "k" + random.nextInt(NAMES);
        IdempotencyKey key = SampleShard.key(topic, name);
        Instant expiry = time.instant().plusMillis(1 + random.nextInt(20_000));
        Reservation letter = isFree(key) ? null : letter(key);
        if (letter != null && !expiry.isAfter(letter.expiresAt())) {
          expiry = letter.expiresAt().plusMillis(1);
        }
        if ((letter != null || isFree(key)) && mine.add(key)) {
          SampleShard shard =
              shards.computeIfAbsent(
                  ledger, none -> new SampleShard(topic, ledger.shard(), registry.head(ledger)));
          rows.add(shard.made(time.instant(), name, expiry));
          if (letter != null) {
            met.met("inherited");
            released.put(key, letter);
          }
        }
      }
      return rows;
    }

    /** The reservation of a message that is a dead letter by now; null if it is none. */
    private @Nullable Reservation letter(IdempotencyKey key) {
      Taken state = registry.find(List.of(key), time.instant()).get(key);
      return random.nextInt(4) == 0 && state instanceof Taken.Confirmed confirmed
          ? confirmed.reservation()
          : null;
    }

    /** Compares the state of a key with the twin's. */
    private boolean isFree(IdempotencyKey key) {
      Instant now = time.instant();
      Taken state = registry.find(List.of(key), now).get(key);
      Reservation live = naive.live(key, now);
      if (naive.isOpen(key, now)) {
        // A batch whose session was lost after its commit is the broker's, and nobody knows.
        met.met("unconfirmed");
        assertInstanceOf(Taken.Unconfirmed.class, state);
      } else if (live == null) {
        met.met(state == null ? "free" : "taken over");
        assertTrue(state == null || state instanceof Taken.Expired, () -> key + " is " + state);
      } else if (state instanceof Taken.Confirmed confirmed) {
        met.met("duplicate");
        assertEquals(live, atMillis(confirmed.reservation(), live));
      } else if (state instanceof Taken.Unreadable) {
        met.met("unreadable");
      } else {
        assertTrue(state == null && sinceFallBack >= 0, () -> key + " is " + state);
      }
      return state == null || state instanceof Taken.Expired;
    }

    /** A stored window ends at whole milliseconds. */
    private static Reservation atMillis(Reservation stored, Reservation exact) {
      Duration longer = Duration.between(exact.expiresAt(), stored.expiresAt());
      assertTrue(!longer.isNegative() && longer.compareTo(Duration.ofMillis(1)) < 0);
      return new Reservation(stored.msgId(), stored.payloadHash(), exact.expiresAt());
    }

    private void project() {
      int dice = random.nextInt(20);
      if (dice < 2) {
        store.failNext(dice == 0 ? Fault.BEFORE : Fault.AFTER);
      } else if (dice == 2 && !store.hasLate()) {
        store.lateNext();
      } else if (dice == 3) {
        store.endLate(random.nextBoolean());
      }
      time.advance(Duration.ofMillis(random.nextInt(50)));
      registry.projector().step();
      if (store.hasLate()) {
        met.met("late in the database");
      }
    }

    private void purge() {
      try {
        if (registry.purgeExpired(time.instant(), 1 + random.nextInt(100)) > 0) {
          met.met("purged");
        }
      } catch (UnavailableException e) {
        // The next one finds the same keys.
      }
    }

    /** As a database does that loses commits when another server takes its place. */
    private void fallBack() {
      InMemoryProjectionStore to = earlier;
      if (to == null || !isWithinReach(to)) {
        return;
      }
      met.met("fall back");
      store.endLate(false);
      store.replaceBy(to);
      sinceFallBack = 0;
    }

    private boolean isWithinReach(InMemoryProjectionStore to) {
      for (int id = 0; id < WORKERS; id++) {
        Worker worker = workers.get(id);
        BatchId position = to.applied(WorkerId.of(id));
        long at =
            worker.queue.values().stream()
                .filter(entry -> entry.isRecord() && entry.batch().equals(position))
                .mapToLong(BatchLogEntry::number)
                .findFirst()
                .orElse(Long.MIN_VALUE);
        if (at < worker.queue.firstKey() + REACH) {
          return false;
        }
      }
      return true;
    }

    /** Each worker's next batch shows the projector where the database is. */
    private void noticeFallBack() {
      sinceFallBack = 0;
      quiesce();
    }

    /** Settles, sends and projects until nothing is open and the database has everything. */
    private void quiesce() {
      store.away(false);
      store.endLate(random.nextBoolean());
      for (int id = 0; id < WORKERS; id++) {
        projectAll();
        endLate(id, random.nextBoolean());
        assertTrue(resolve(id));
        while (!isSentOnce(id)) {
          endLate(id, random.nextBoolean());
          projectAll();
          assertTrue(resolve(id));
        }
      }
      projectAll();
      projectAll();
      if (sinceFallBack >= 0) {
        met.met("re-applied");
      }
      sinceFallBack = Integer.MIN_VALUE;
      assertEquals("", registry.projector().trouble());
    }

    private boolean isSentOnce(int id) {
      long before = workers.get(id).log.lastBatch().number();
      send(id);
      return workers.get(id).isResolved && workers.get(id).log.lastBatch().number() > before;
    }

    private void projectAll() {
      for (int i = 0; i < 10; i++) {
        store.endLate(random.nextBoolean());
        time.advance(Duration.ofMillis(20));
        registry.projector().step();
      }
    }

    /** Nothing is lost and nothing is double: in the ledgers, the heads and the keys. */
    void check() {
      Set<String> places = new HashSet<>();
      naive
          .ledgers()
          .forEach(
              (ledger, expected) -> {
                List<LedgerEntry> entries = new StoredLedgers(registry).entries(ledger, 1, 100_000);
                assertEquals(expected, entries);
                assertEquals(
                    new LedgerVerdict.Intact(entries.size()),
                    LedgerVerdict.check(LedgerHead.EMPTY, entries));
                LedgerHead head = LedgerHead.after(expected.get(expected.size() - 1));
                assertEquals(head, registry.head(ledger));
                assertEquals(head, store.heads().get(ledger));
                for (LedgerEntry entry : entries) {
                  assertTrue(places.add(entry.msgId().toString()), "a message is there twice");
                }
              });
      for (Row row : naive.answered()) {
        assertTrue(places.contains(row.entry().msgId().toString()), "an answered message");
      }
      assertEquals(naive.ledgers().keySet(), store.heads().keySet());
      checkKeys();
    }

    /** A key that was taken over has several live windows, no two of which end together. */
    private static Reservation later(Reservation one, Reservation other) {
      assertNotEquals(one.expiresAt(), other.expiresAt(), "a key is taken twice");
      return one.expiresAt().isAfter(other.expiresAt()) ? one : other;
    }

    private void checkKeys() {
      while (registry.purgeExpired(time.instant().plusMillis(1), 1_000) > 0) {
        met.met("purged");
      }
      Instant now = time.instant();
      Map<IdempotencyKey, Reservation> live = naive.live(now);
      assertEquals(live.size(), registry.countKeys());
      Map<IdempotencyKey, Reservation> stored = new HashMap<>();
      SampleBatch.everyKeyPage(
          store,
          (batchNo, keys) ->
              keys.forEach(
                  key -> {
                    Reservation reservation = keys.find(key);
                    assertNotNull(reservation);
                    if (reservation.isLive(now)) {
                      stored.merge(key, reservation, Program::later);
                    }
                  }));
      assertEquals(live.keySet(), stored.keySet());
      live.forEach(
          (key, reservation) ->
              assertEquals(reservation, atMillis(requireNonNull(stored.get(key)), reservation)));
      registry
          .find(live.keySet(), now)
          .forEach((key, state) -> assertInstanceOf(Taken.Confirmed.class, state));
      assertEquals(live.keySet(), registry.find(live.keySet(), now).keySet());
    }
  }
}
