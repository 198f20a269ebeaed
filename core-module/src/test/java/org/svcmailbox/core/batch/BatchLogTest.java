package org.svcmailbox.core.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.batch.BatchLogEntry.Kind;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.InMemoryBroker;
import org.svcmailbox.core.broker.InMemoryBroker.CommitFault;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.time.TestTime;

/** Conclusions of a session from the entries that have arrived. */
class BatchLogTest {
  private static final Instant LATER = Instant.parse("2026-03-01T12:00:00Z");
  private static final int ENTRIES = 100;
  private static final long MANY_BYTES = 1 << 20;
  private static final long LIFE = 7;

  private final InMemoryBroker broker = new InMemoryBroker(InstantSource.system());

  /** A log whose transactions all succeed, and what its queue holds. */
  private static final class Scene {
    private final Map<Integer, BatchPages> pages = new HashMap<>();
    private final TreeMap<Long, BatchLogEntry> queue = new TreeMap<>();
    private final BatchLog log;
    private long last;

    Scene(BatchLog.Window window, List<BatchLogEntry> entries) {
      log = new BatchLog(window, LIFE);
      entries.forEach(entry -> queue.put(entry.number(), entry));
      entries.forEach(log::add);
      last = log.lastBatch().number();
    }

    /** Of a log as another version, or another window, may leave it. */
    static Scene ofLength(int length, BatchLog.Window window) {
      BatchId batch = SampleBatch.id(5);
      return new Scene(
          window,
          LongStream.rangeClosed(11, 10 + length)
              .mapToObj(number -> BatchLogEntry.blank(number, batch, 11, 10 + length))
              .toList());
    }

    BatchLog.Change append(int rows, long applied) {
      BatchPages some =
          pages.computeIfAbsent(
              rows, count -> BatchPages.of(new SampleShard(1, 0).rows("k", count, LATER)));
      return apply(log.append(SampleBatch.id(++last), some, SampleBatch.id(applied)));
    }

    BatchLog.Change appendApplied(int rows) {
      return append(rows, last);
    }

    BatchLog.Change apply(BatchLog.Change change) {
      change.ended().forEach(entry -> queue.remove(entry.number()));
      change.added().forEach(entry -> queue.put(entry.number(), entry));
      change.added().forEach(log::add);
      return change;
    }

    int length() {
      return queue.size();
    }

    long bytes() {
      return queue.values().stream().mapToLong(BatchLogEntry::bytes).sum();
    }
  }

  private static BatchLog.Window window(long bytes) {
    return new BatchLog.Window(ENTRIES, bytes);
  }

  /** Any entry may be damaged, in a log that grows or is full: waiting would bring no more. */
  @ParameterizedTest
  @ValueSource(ints = {2, 64, 99, 100})
  void aLogIsWholeButForItsDamage(int length) {
    Scene scene = Scene.ofLength(length, window(MANY_BYTES));
    scene.appendApplied(3);
    for (long damaged : scene.queue.keySet()) {
      BatchLog log = new BatchLog(window(MANY_BYTES), LIFE);
      for (BatchLogEntry entry : scene.queue.values()) {
        if (entry.number() != damaged) {
          log.add(entry);
        }
      }
      assertFalse(log.isWhole(), "without " + damaged);
      assertTrue(log.isWholeBut(1), "without " + damaged);
    }
    BatchLog whole = new BatchLog(window(MANY_BYTES), LIFE);
    scene.queue.values().forEach(whole::add);
    assertFalse(whole.isWholeBut(0));
    assertTrue(new BatchLog(window(MANY_BYTES), LIFE).isWholeBut(length), "nothing is left");
  }

  /** The hole of a transaction that is open is no damage. */
  @Test
  void anOpenTransactionBesideADamagedEntryIsWaitedFor() {
    Scene scene = Scene.ofLength(100, window(MANY_BYTES));
    for (long damaged : scene.queue.tailMap(20L).keySet()) {
      BatchLog log = new BatchLog(window(MANY_BYTES), LIFE);
      scene.queue.tailMap(11L, false).values().stream()
          .filter(entry -> entry.number() != damaged)
          .forEach(log::add);
      assertFalse(log.isWholeBut(1), "without " + damaged);
    }
  }

  @Test
  void aRenewedLogBeginsBehindWhateverMayStillCome() {
    Scene scene = Scene.ofLength(100, window(MANY_BYTES));
    BatchLog damaged = new BatchLog(window(MANY_BYTES), LIFE);
    scene.queue.tailMap(50L).values().forEach(damaged::add);
    BatchLog.Change change = damaged.renew(SampleBatch.id(9));
    assertEquals(List.copyOf(scene.queue.tailMap(50L).values()), change.ended());

    List<BatchLogEntry> withLate = new ArrayList<>(change.added());
    withLate.add(0, BatchLogEntry.blank(111, SampleBatch.id(10), 12, 111));
    Scene next = new Scene(window(MANY_BYTES), withLate);
    assertEquals(SampleBatch.id(9), next.log.lastBatch());
    assertEquals(SampleBatch.id(9), next.log.oldestBatch());
    assertFalse(next.log.standing(WorkerId.of(0), SampleBatch.id(9)).isMismatch());
    assertTrue(
        next.log.standing(WorkerId.of(0), SampleBatch.id(10)).isMismatch(),
        "the late entry is none");
    next.appendApplied(1);
  }

  private static List<ByteBuffer> leases(int count) {
    return IntStream.range(0, count)
        .mapToObj(number -> ByteBuffer.wrap(new byte[] {(byte) number}))
        .toList();
  }

  private static BatchLog read(Scene scene) {
    return new Scene(window(MANY_BYTES), List.copyOf(scene.queue.values())).log;
  }

  /** A batch, a blank of it, or the beginning of a life behind them ends it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void aHandoverCountsAsTheNewestEntriesOnly(int entries) {
    Scene scene = Scene.ofLength(2, window(MANY_BYTES));
    assertEquals(List.of(), read(scene).handedOver());
    int before = scene.length();
    BatchLog.Change change = scene.apply(scene.log.handOver(leases(entries), SampleBatch.id(5)));
    assertEquals(1, change.ended().size(), "the oldest entry, as each transaction");
    assertEquals(before - 1 + entries, scene.length());
    assertEquals(leases(entries), read(scene).handedOver());
    assertEquals(SampleBatch.id(5), read(scene).lastBatch());
    assertFalse(read(scene).standing(WorkerId.of(0), SampleBatch.id(5)).isMismatch());
    assertEquals(List.of(), read(scene).standing(WorkerId.of(0), SampleBatch.id(5)).records());
    assertTrue(change.added().stream().allMatch(entry -> entry.life() == LIFE));

    Scene opened = new Scene(window(MANY_BYTES), List.copyOf(scene.queue.values()));
    opened.apply(opened.log.open(SampleBatch.id(5)));
    assertEquals(List.of(), read(opened).handedOver());
    opened.apply(opened.log.handOver(leases(1), SampleBatch.id(5)));
    assertEquals(leases(1), read(opened).handedOver(), "the newest only");

    scene.appendApplied(1);
    assertEquals(List.of(), read(scene).handedOver());
  }

  @Test
  void aHandoverNeedsASpareEntryAsABatchDoes() {
    Scene scene = Scene.ofLength(2, window(MANY_BYTES));
    assertThrows(
        IllegalStateException.class, () -> scene.log.handOver(leases(1), SampleBatch.id(4)));
    assertThrows(IllegalStateException.class, () -> scene.log.open(SampleBatch.id(4)));
  }

  @Test
  void aNewLogIsWholeWithAllOfItsSeed() {
    BatchLog log = new BatchLog(window(MANY_BYTES), LIFE);
    BatchLogEntry.seed(SampleBatch.id(7))
        .forEach(
            entry -> {
              assertFalse(log.isWhole());
              assertThrows(IllegalStateException.class, log::lastBatch);
              log.add(entry);
            });
    assertEquals(SampleBatch.id(7), log.lastBatch());
    assertEquals(SampleBatch.id(7), log.oldestBatch());
  }

  @Test
  void anEntryNamesItselfAndWhatTheLogHolds() {
    BatchId none = BatchId.NONE;
    assertThrows(IllegalArgumentException.class, () -> BatchLogEntry.blank(1, none, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> new BatchId(-1, 0));
    assertThrows(IllegalArgumentException.class, () -> BatchLogEntry.blank(1, none, 2, 2));
    assertThrows(IllegalArgumentException.class, () -> BatchLogEntry.blank(3, none, 1, 2));
    assertEquals(BatchLogEntry.blank(1, none, 1, 1), BatchLogEntry.blank(1, none, 1, 1));
  }

  /** As an earlier or later version may leave it, with another window. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 63, 64, 65, 99, 100, 101, 150, 512})
  void aLogOfAnyLengthComesToTheWindow(int length) {
    Scene scene = Scene.ofLength(length, window(MANY_BYTES));
    assertTrue(scene.log.isWhole());
    int expected = length;
    while (expected != ENTRIES) {
      BatchLog.Change change = scene.appendApplied(0);
      expected = Math.min(ENTRIES, expected + 1);
      assertEquals(expected, scene.length(), "one blank a batch, or down at once");
      BatchLogEntry newest = change.added().get(change.added().size() - 1);
      assertEquals(scene.queue.firstKey(), newest.from());
      assertEquals(scene.queue.lastKey(), newest.to());
      assertEquals(newest.to(), newest.number());
      assertTrue(change.added().stream().allMatch(entry -> entry.batch().equals(newest.batch())));
    }
    BatchLog.Change change = scene.appendApplied(1);
    assertEquals(1, change.ended().size());
    assertEquals(1, change.added().size());
    assertEquals(ENTRIES, scene.length());
  }

  @Test
  void aShortLogGrowsByABlankABatch() {
    Scene scene = Scene.ofLength(2, window(MANY_BYTES));
    BatchLog.Change change = scene.appendApplied(1);
    assertEquals(1, change.ended().size());
    assertEquals(
        List.of(false, true),
        change.added().stream().map(entry -> entry.kind() == Kind.BLANK).toList());
  }

  /** The records are as large as those of real batches, so few of them fill the window. */
  @ParameterizedTest
  @CsvSource({"1, 400000", "10, 150000", "100, 500000", "512, 5000000"})
  void aLogThatIsTooLargeBecomesShorterButNotShorterThanTheLeast(int rows, long bytes) {
    Scene scene = Scene.ofLength(ENTRIES, window(bytes));
    int shortest = ENTRIES;
    boolean isLarge = false;
    for (int i = 0; i < 3 * ENTRIES; i++) {
      long record = scene.appendApplied(rows).added().get(0).bytes();
      boolean isLeast = scene.length() == BatchLogEntry.LEAST;
      assertTrue(scene.length() >= BatchLogEntry.LEAST);
      assertTrue(scene.bytes() <= bytes + record || isLeast, scene.bytes() + " bytes");
      shortest = Math.min(shortest, scene.length());
      isLarge = ENTRIES * record > bytes;
    }
    assertEquals(isLarge, shortest < ENTRIES);

    for (int i = 0; i < 3 * ENTRIES; i++) {
      scene.appendApplied(0);
    }
    assertEquals(ENTRIES, scene.length(), "it grows again");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void anEntryOfTheAppliedBatchIsAlwaysLeft(long seed) {
    Random random = new Random(seed);
    Scene scene = new Scene(window(100_000), BatchLogEntry.seed(BatchId.NONE));
    long applied = 0;
    int refused = 0;
    for (int i = 0; i < 3_000; i++) {
      applied += random.nextInt(200) == 0 ? random.nextInt((int) (scene.last - applied) + 1) : 0;
      BatchId asked = SampleBatch.id(applied);
      boolean hasRoom = scene.log.hasRoom(asked);
      assertEquals(hasRoom, scene.log.batchToApply() <= applied);
      if (hasRoom) {
        scene.append(random.nextInt(20), applied);
      } else {
        refused++;
        assertThrows(
            IllegalStateException.class,
            () -> scene.log.append(SampleBatch.id(9_999), BatchPages.of(List.of()), asked));
        applied = scene.log.batchToApply();
      }
      assertTrue(scene.log.oldestBatch().number() <= applied);
      BatchId known = SampleBatch.id(applied);
      assertFalse(scene.log.standing(WorkerId.of(0), known).isMismatch());
    }
    assertTrue(refused > 5, "the database was never far behind");
  }

  @Test
  void aLogHasRoomOnlyWhileTheNextEntryIsOfAnAppliedBatch() {
    Scene scene = Scene.ofLength(3, new BatchLog.Window(3, MANY_BYTES));
    assertTrue(scene.log.hasRoom(SampleBatch.id(5)));
    scene.append(1, 5);
    scene.append(1, 5);
    assertFalse(scene.log.hasRoom(SampleBatch.id(5)), "5 has one entry left, and 6 is not applied");
    assertEquals(6, scene.log.batchToApply());
    assertTrue(scene.log.hasRoom(SampleBatch.id(6)));
  }

  @Test
  void theRecordsAreWhatWasAppended() {
    Scene scene = Scene.ofLength(5, window(MANY_BYTES));
    for (int i = 1; i <= 3; i++) {
      scene.appendApplied(i);
    }
    StoreStanding standing = scene.log.standing(WorkerId.of(4), SampleBatch.id(7));
    assertEquals(
        List.of(SampleBatch.id(6), SampleBatch.id(7), SampleBatch.id(8)),
        standing.records().stream().map(Batch::id).toList());
    for (Batch batch : standing.records()) {
      assertEquals(WorkerId.of(4), batch.worker());
      assertEquals(batch.id().number() - 5, batch.pages().keys().get(0).size());
    }
    assertTrue(standing.isKnown());
    assertFalse(scene.log.standing(WorkerId.of(4), new BatchId(7, 1)).isKnown(), "another history");
  }

  /**
   * Neither entries that are still under way nor the hole of an open transaction let a log look
   * whole.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void aPrefixNeverLooksWhole(long seed) {
    Random random = new Random(seed);
    Scene scene = Scene.ofLength(2 + random.nextInt(90), window(40_000));
    for (int i = 0; i < 300; i++) {
      assertTrue(wholeAfter(scene.queue.values()) == scene.length(), "all of it is needed");
      assertEquals(-1, wholeAfter(scene.queue.tailMap(scene.queue.firstKey(), false).values()));
      scene.appendApplied(random.nextInt(12));
    }
  }

  /** How many entries it takes until a log is whole; -1 when it does not become so. */
  private static int wholeAfter(Iterable<BatchLogEntry> entries) {
    BatchLog log = new BatchLog(window(40_000), LIFE);
    int taken = 0;
    for (BatchLogEntry entry : entries) {
      log.add(entry);
      taken++;
      if (log.isWhole()) {
        return taken;
      }
    }
    return -1;
  }

  @Test
  void aShrunkLogIsTwoBlanksOfTheLastBatch() {
    Scene scene = Scene.ofLength(20, window(MANY_BYTES));
    scene.appendApplied(3);
    assertFalse(scene.log.isShort());
    long newest = scene.queue.lastKey();
    BatchLog.Change change = scene.apply(scene.log.shrink());
    assertEquals(2, scene.length());
    assertEquals(
        List.of(newest + 1, newest + 2),
        change.added().stream().map(BatchLogEntry::number).toList(),
        "no number is used twice");

    Scene next = new Scene(window(MANY_BYTES), List.copyOf(scene.queue.values()));
    assertEquals(SampleBatch.id(6), next.log.lastBatch());
    assertTrue(next.log.isShort());
    assertEquals(List.of(), next.log.standing(WorkerId.of(0), SampleBatch.id(6)).records());
    assertFalse(next.log.standing(WorkerId.of(0), SampleBatch.id(6)).isMismatch());
    next.appendApplied(1);
    assertEquals(3, next.length(), "and it can grow again");
  }

  @Test
  void nothingIsShrunkUntilTheLogIsWhole() {
    BatchLog log = new BatchLog(window(MANY_BYTES), LIFE);
    assertThrows(IllegalStateException.class, log::shrink);
    assertFalse(log.isShort());
  }

  @Test
  void aLogThatIsNotWholeTellsNothing() {
    BatchLog log = new BatchLog(window(MANY_BYTES), LIFE);
    log.add(BatchLogEntry.blank(2, SampleBatch.id(1), 1, 2));
    assertThrows(IllegalStateException.class, log::lastBatch);
    assertThrows(IllegalStateException.class, log::oldestBatch);
    assertThrows(IllegalStateException.class, log::handedOver);
    assertThrows(
        IllegalStateException.class, () -> log.standing(WorkerId.of(0), SampleBatch.id(1)));
    assertFalse(log.hasRoom(SampleBatch.id(1)));
  }

  /** An entry that names the database's batch, another one of its number, or a later one. */
  @ParameterizedTest
  @CsvSource({"7, 24301, false", "7, 1, false", "6, 1, false", "8, 24301, true"})
  void aDamagedLogsLastBatchIsTheDatabasesOrALaterOne(long number, long stamp, boolean isLater) {
    BatchId named = new BatchId(number, stamp);
    BatchId applied = SampleBatch.id(7);
    BatchLog log = new BatchLog(window(MANY_BYTES), LIFE);
    log.add(BatchLogEntry.blank(2, named, 1, 2));
    assertEquals(
        isLater ? named : applied, log.damagedStanding(WorkerId.of(0), applied, List.of()).last());
  }

  @Test
  void nothingIsAppendedWithoutTheOldestEntry() {
    BatchLog log = new BatchLog(new BatchLog.Window(3, MANY_BYTES), LIFE);
    BatchPages none = BatchPages.of(List.of());
    BatchId first = SampleBatch.id(1);
    assertFalse(log.hasOldest());
    assertThrows(IllegalStateException.class, () -> log.append(first, none, BatchId.NONE));
    for (long number = 1; number <= 3; number++) {
      log.add(BatchLogEntry.blank(number, BatchId.NONE, 1, 3));
    }
    List<BatchLogEntry> added = new ArrayList<>(log.append(first, none, BatchId.NONE).added());
    added.addAll(log.append(SampleBatch.id(2), none, BatchId.NONE).added());
    assertFalse(log.hasRoom(SampleBatch.id(2)), "the record of 1 has not arrived");
    log.add(added.get(0));
    assertTrue(log.hasRoom(SampleBatch.id(2)));
    log.append(SampleBatch.id(3), none, SampleBatch.id(2));
    assertFalse(log.hasRoom(SampleBatch.id(3)));
    assertFalse(log.hasOldest());
  }

  @Test
  void theWaitHasOneBoundHoweverSlowlyEntriesArrive() {
    Duration each = Duration.ofSeconds(3);
    TestTime time = new TestTime();
    Iterator<BatchLogEntry> late = BatchLogEntry.seed(BatchId.NONE).iterator();
    List<Duration> waits = new ArrayList<>();

    new BatchLog(window(MANY_BYTES), LIFE)
        .receive(
            atMost -> {
              waits.add(atMost);
              time.advance(atMost.compareTo(each) < 0 ? atMost : each);
              return atMost.compareTo(each) < 0 ? List.of() : List.of(late.next());
            },
            time::nanos,
            Duration.ofSeconds(10));

    assertEquals(List.of(10, 7, 4, 1).stream().map(Duration::ofSeconds).toList(), waits);
  }

  @Test
  void nothingIsWaitedForOnceTheOldestEntryIsHere() {
    BatchLog log = new BatchLog(window(MANY_BYTES), LIFE);
    Iterator<List<BatchLogEntry>> batches =
        List.of(BatchLogEntry.seed(BatchId.NONE), List.<BatchLogEntry>of()).iterator();
    List<Duration> waits = new ArrayList<>();
    log.receive(
        atMost -> {
          waits.add(atMost);
          return batches.next();
        },
        () -> 0,
        Duration.ofSeconds(10));
    assertEquals(List.of(Duration.ofSeconds(10), Duration.ZERO), waits);
    assertTrue(log.hasOldest());
  }

  /** Each session is lost at a commit whose outcome is open, and ends it later either way. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void noSessionConcludesAnythingWhileAnOutcomeIsOpen(long seed) {
    Random random = new Random(seed);
    long last = 0;
    for (int round = 0; round < 300; round++) {
      boolean takesEffect = random.nextBoolean();
      long staged;
      try (BrokerSession session = SampleLog.open(broker, 0)) {
        SampleLog log = SampleLog.of(session);
        assertEquals(last, log.lastBatch());
        for (int i = random.nextInt(12); i > 0; i--) {
          log.append(++last);
          session.commit();
        }
        staged = last + 1;
        log.append(staged);
        broker.failNextCommit(CommitFault.LATE);
        assertThrows(UnavailableException.class, session::commit);
      }
      try (BrokerSession next = SampleLog.open(broker, 0)) {
        SampleLog log = SampleLog.of(next);
        assertFalse(log.isWhole(Duration.ZERO), "in round " + round);
        broker.endLateCommit(takesEffect);
        last = takesEffect ? staged : last;
        assertEquals(last, log.lastBatch());
      }
    }
  }
}
