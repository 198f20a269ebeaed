package org.svcmailbox.core.batch;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.batch.ProjectionStore.Advance;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.core.topic.Fault;
import org.svcmailbox.test.concurrent.Together;
import org.svcmailbox.test.log.OwnLog;

class ProjectorTest {
  private static final Instant LATER = Instant.parse("2026-03-01T12:00:00Z");
  private static final long IDLE = Duration.ofSeconds(1).toNanos();
  private static final long GATHERING = Duration.ofMillis(20).toNanos();
  private static final long AFTER_FAILURE = Duration.ofMillis(200).toNanos();
  private static final int ROW_BYTES = 64 + 80;

  private final TestTime time = new TestTime();
  private final InMemoryProjectionStore store = new InMemoryProjectionStore();
  private final ReservedKeys keys = new ReservedKeys(store);
  private static final int MOST_BYTES = 1 << 20;

  private final Projector projector = new Projector(store, keys, time::nanos);

  /** All batches that the database was asked to apply. */
  private final List<List<Advance>> asked = new ArrayList<>();

  /** A shard of each worker, and the number of its last batch. */
  private final Map<Integer, SampleShard> shards = new HashMap<>();

  private final Map<Integer, Long> last = new TreeMap<>();
  private final List<KeyPage> pages = new ArrayList<>();

  ProjectorTest() {
    store.observe(asked::add);
  }

  private SampleShard shard(int worker) {
    return shards.computeIfAbsent(worker, none -> new SampleShard(1, worker));
  }

  private Batch next(int worker, int rows) {
    long number = last.merge(worker, 1L, Long::sum);
    String prefix = "w" + worker + "-" + number;
    return SampleBatch.of(worker, number, shard(worker).rows(prefix, rows, LATER));
  }

  /** Adds a worker's next batch, as one that the broker has. */
  private Batch add(int worker, int rows) {
    Batch batch = next(worker, rows);
    try {
      List<KeyPage> taken = keys.take(batch, Instant.EPOCH, Map.of());
      taken.forEach(KeyPage::confirm);
      pages.addAll(taken);
      projector.add(batch, taken);
    } catch (KeyTakenException e) {
      throw new AssertionError(e);
    }
    return batch;
  }

  private long stepLater() {
    time.advance(Duration.ofSeconds(1));
    return projector.step();
  }

  /** The workers, and of each the batches that one transaction had. */
  private static Map<Integer, List<Long>> numbers(List<Advance> advances) {
    Map<Integer, List<Long>> numbers = new TreeMap<>();
    advances.forEach(
        advance ->
            numbers.put(
                advance.worker().number(),
                advance.batches().stream().map(batch -> batch.id().number()).toList()));
    return numbers;
  }

  private double metric(Family family) {
    return projector.metrics().stream()
        .filter(metric -> metric.family() == family)
        .findFirst()
        .orElseThrow()
        .now();
  }

  /** The database has each batch of each worker, once and whole. */
  private void assertAllApplied() {
    assertEquals(0, metric(Family.PROJECTION_LAG_BATCHES));
    assertEquals(0, metric(Family.PROJECTION_LAG_BYTES));
    assertEquals(0, metric(Family.PROJECTION_LAG_SECONDS));
    assertEquals("", projector.trouble());
    last.forEach(
        (worker, number) -> {
          assertEquals(SampleBatch.id(number), store.applied(WorkerId.of(worker)));
          assertEquals(SampleBatch.id(number), projector.applied(WorkerId.of(worker)));
          assertEquals(0, projector.pendingBytes(WorkerId.of(worker)));
          LedgerHead head = store.heads().getOrDefault(shard(worker).ledger(), LedgerHead.EMPTY);
          assertEquals(
              new LedgerVerdict.Intact(head.seq()),
              LedgerVerdict.check(
                  LedgerHead.EMPTY, store.ledger(shard(worker).ledger(), 1, 100_000)));
        });
    assertEquals(pages.stream().mapToInt(KeyPage::keys).sum(), store.countKeys());
    pages.forEach(page -> assertNull(page.unapplied(), "its keys need no memory any more"));
  }

  @Test
  void batchesAreAppliedInOrderAndOnce() {
    for (int i = 0; i < 30; i++) {
      add(i % 3, 1 + i % 4);
      if (i % 4 == 3) {
        stepLater();
      }
    }
    projector.drain();

    Map<Integer, List<Long>> applied = new TreeMap<>();
    asked.forEach(
        advances ->
            numbers(advances)
                .forEach(
                    (worker, some) ->
                        applied.computeIfAbsent(worker, none -> new ArrayList<>()).addAll(some)));
    List<Long> ten = List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
    assertEquals(Map.of(0, ten, 1, ten, 2, ten), applied);
    assertAllApplied();
  }

  @Test
  void oneTransactionHasTheBatchesOfAllWorkersInTheOrderOfTheirNumbers() {
    add(3, 1);
    add(1, 1);
    add(2, 1);
    add(1, 1);
    stepLater();

    assertEquals(1, asked.size());
    assertEquals(
        Stream.of(1, 2, 3).map(WorkerId::of).toList(),
        asked.get(0).stream().map(Advance::worker).toList());
    assertEquals(Map.of(1, List.of(1L, 2L), 2, List.of(1L), 3, List.of(1L)), numbers(asked.get(0)));
    assertAllApplied();
  }

  @Test
  void aTransactionHasAtMostAMebibyte() {
    int most = (1 << 20) / (Batch.MAX_ROWS * ROW_BYTES);
    for (int i = 0; i <= most; i++) {
      add(i % 2, Batch.MAX_ROWS);
    }
    assertEquals(
        GATHERING, projector.step(), "it does not gather once there is a transaction full");
    assertEquals(1, asked.size());
    assertEquals(most, numbers(asked.get(0)).values().stream().mapToInt(List::size).sum());
    stepLater();
    assertEquals(2, asked.size());
    assertAllApplied();
  }

  @Test
  void aBatchThatIsLargerIsATransactionOfItsOwn() {
    add(0, 8_000);
    add(1, 1);
    add(2, 1);
    projector.step();
    assertEquals(Map.of(0, List.of(1L)), numbers(asked.get(0)));
    stepLater();
    assertEquals(Map.of(1, List.of(1L), 2, List.of(1L)), numbers(asked.get(1)));
    assertAllApplied();
  }

  @Test
  void batchesGatherFor20Milliseconds() {
    assertEquals(IDLE, projector.step());
    add(0, 1);
    assertEquals(GATHERING, projector.step());
    time.advance(Duration.ofMillis(19));
    add(1, 1);
    assertEquals(Duration.ofMillis(1).toNanos(), projector.step());
    assertEquals(List.of(), asked);
    time.advance(Duration.ofMillis(1));
    assertEquals(IDLE, projector.step());
    assertEquals(Map.of(0, List.of(1L), 1, List.of(1L)), numbers(asked.get(0)));
    assertAllApplied();
  }

  @Test
  void theThreadIsWokenByTheFirstBatchAndByAFullTransaction() {
    int[] wakes = new int[1];
    projector.onWork(() -> wakes[0]++);
    add(0, 1);
    assertEquals(1, wakes[0]);
    int most = (1 << 20) / (Batch.MAX_ROWS * ROW_BYTES);
    for (int i = 0; i < most; i++) {
      add(1, Batch.MAX_ROWS);
    }
    assertEquals(1, wakes[0]);
    add(0, Batch.MAX_ROWS);
    assertEquals(2, wakes[0]);
  }

  @Test
  void aKeyNeedsMemoryUntilTheDatabaseHasItAndOnlyThenExpires() {
    add(0, 3);
    assertNotNull(pages.get(0).unapplied());
    assertEquals(0, keys.purge(LATER.plusSeconds(1), 10));
    stepLater();
    assertNull(pages.get(0).unapplied());
    assertEquals(3, keys.purge(LATER.plusSeconds(1), 10));
    assertEquals(0, store.countKeys());
  }

  /** The fault hits one transaction after the other. */
  @ParameterizedTest
  @CsvSource({
    "1, BEFORE",
    "2, BEFORE",
    "3, BEFORE",
    "4, BEFORE",
    "1, AFTER",
    "2, AFTER",
    "3, AFTER",
    "4, AFTER"
  })
  void aFailedTransactionIsRepeatedOrFoundDone(int which, Fault fault) {
    for (int i = 1; i <= 4; i++) {
      add(0, 1);
      add(1, 2);
      if (i == which) {
        store.failNext(fault);
        assertEquals(AFTER_FAILURE, stepLater());
        assertEquals("", projector.trouble(), "not yet");
        assertEquals(2, metric(Family.PROJECTION_LAG_BATCHES));
        assertNotNull(pages.get(pages.size() - 1).unapplied());
        add(1, 1);
      }
      assertEquals(IDLE, stepLater());
      assertAllApplied();
    }
    assertEquals(1, metric(Family.PROJECTION_FAILURES_TOTAL));
  }

  @ParameterizedTest
  @CsvSource({"1, true", "2, true", "3, true", "1, false", "2, false", "3, false"})
  void aLateTransactionIsWaitedForAndFoundEitherWay(int which, boolean takesEffect) {
    for (int i = 1; i <= 3; i++) {
      add(0, 1);
      add(1, 2);
      if (i == which) {
        store.lateNext();
        assertEquals(AFTER_FAILURE, stepLater());
        add(0, 1);
        assertEquals(AFTER_FAILURE, stepLater(), "the earlier one holds the rows");
        assertEquals(2, metric(Family.PROJECTION_FAILURES_TOTAL));
        store.endLate(takesEffect);
      }
      assertEquals(IDLE, stepLater());
      assertAllApplied();
    }
  }

  /** It commits between the look for the position and the next transaction. */
  @Test
  void aLateTransactionThatCommitsAtTheLastMomentMovesTheNextOne() {
    add(0, 1);
    store.lateNext();
    stepLater();
    add(0, 2);
    store.observe(
        advances -> {
          asked.add(advances);
          store.endLate(true);
        });
    assertEquals(GATHERING, stepLater());
    assertEquals(SampleBatch.id(1), store.applied(WorkerId.of(0)));
    assertEquals(IDLE, stepLater());
    assertEquals(
        List.of(List.of(1L), List.of(1L, 2L), List.of(2L)),
        asked.stream().map(advances -> numbers(advances).get(0)).toList());
    assertAllApplied();
  }

  @Test
  void aDatabaseThatIsAwayIsAskedEvery200MillisecondsAndThenCaughtUpWith() {
    store.away(true);
    for (int i = 1; i <= 5; i++) {
      add(0, 1);
      assertEquals(AFTER_FAILURE, stepLater());
      assertEquals(i, metric(Family.PROJECTION_FAILURES_TOTAL));
      assertEquals(
          i < 5 ? "" : "the database is 5 batches behind, for 5 s: told to be away",
          projector.trouble());
    }
    assertThrows(UnavailableException.class, projector::drain);
    store.away(false);
    projector.step();
    assertAllApplied();
  }

  @Test
  void theDatabaseThatFellBackGetsTheSameBatchesAgain() {
    for (int i = 0; i < 4; i++) {
      add(0, 1);
      add(1, 1);
      stepLater();
    }
    InMemoryProjectionStore earlier = store.copy();
    for (int i = 0; i < 4; i++) {
      add(0, 2);
      if (i % 2 == 0) {
        add(1, 1);
      }
      stepLater();
    }
    store.replaceBy(earlier);
    add(1, 3);
    time.advance(Duration.ofNanos(GATHERING));
    assertEquals(GATHERING, projector.step(), "it is not where it was");
    asked.clear();
    assertEquals(IDLE, stepLater());
    assertEquals(Map.of(0, List.of(5L, 6L, 7L, 8L), 1, List.of(5L, 6L, 7L)), numbers(asked.get(0)));
    assertAllApplied();
  }

  /** The database would give the topic's id to another topic, whose keys would then be taken. */
  @Test
  void aDatabaseThatFellBackWithoutATopicIsLeftAloneUntilItKnowsTheTopic() {
    add(0, 1);
    stepLater();
    InMemoryProjectionStore earlier = store.copy();
    add(0, 1);
    stepLater();
    store.replaceBy(earlier);
    Set<Integer> known = new HashSet<>();
    store.topics(() -> known);
    add(0, 1);
    stepLater();
    stepLater();
    assertEquals(1, metric(Family.PROJECTION_BROKEN));
    assertEquals(SampleBatch.id(1), store.applied(WorkerId.of(0)));

    known.add(1);
    stepLater();
    stepLater();
    stepLater();
    assertAllApplied();
  }

  @Test
  void untilTheyAreAppliedAgainTheseBatchesAreTheLag() {
    add(0, 1);
    stepLater();
    InMemoryProjectionStore earlier = store.copy();
    add(0, 2);
    stepLater();
    store.replaceBy(earlier);
    add(0, 4);
    stepLater();
    store.observe(
        advances -> {
          assertEquals(2, metric(Family.PROJECTION_LAG_BATCHES));
          assertEquals(6 * ROW_BYTES, projector.pendingBytes(WorkerId.of(0)));
          assertEquals(SampleBatch.id(1), projector.applied(WorkerId.of(0)));
          assertEquals(Set.of(1), projector.pendingTopics());
        });
    stepLater();
    assertAllApplied();
  }

  @Test
  void aDatabaseBehindTheLogBreaksTheLaneAndOthersGoOn() {
    add(0, 1);
    add(1, 1);
    stepLater();
    InMemoryProjectionStore tooOld = store.copy();
    for (int i = 0; i < 3; i++) {
      add(0, 1);
      stepLater();
    }
    projector.release(WorkerId.of(0), SampleBatch.id(3));
    InMemoryProjectionStore newest = store.copy();
    store.replaceBy(tooOld);
    add(0, 1);
    add(1, 1);
    stepLater();
    stepLater();

    assertEquals(1, metric(Family.PROJECTION_BROKEN));
    assertEquals(
        "the database fell back behind the logs of 1 workers; restart the server",
        projector.trouble());
    assertEquals(
        SampleBatch.id(1), store.applied(WorkerId.of(0)), "nothing is applied out of order");
    assertEquals(SampleBatch.id(2), store.applied(WorkerId.of(1)));
    add(1, 1);
    assertEquals(IDLE, stepLater());
    assertEquals(SampleBatch.id(3), store.applied(WorkerId.of(1)));
    projector.drain();

    store.replaceBy(newest);
    add(1, 1);
    stepLater();
    stepLater();
    assertAllApplied();
  }

  /** As far as the log reaches back, and no further. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void batchesAreKeptUntilTheirLogHasThemNoMore(long released) {
    List<InMemoryProjectionStore> copies = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      add(0, 1);
      stepLater();
      copies.add(store.copy());
    }
    projector.release(WorkerId.of(0), SampleBatch.id(released));
    add(0, 1);
    for (int back = 3; back >= 0; back--) {
      store.replaceBy(copies.get(back));
      store.failNext(Fault.BEFORE);
      stepLater();
      stepLater();
      boolean isKept = back + 1 >= released;
      assertEquals(isKept ? 0 : 1, metric(Family.PROJECTION_BROKEN), "back at " + (back + 1));
      if (isKept) {
        assertAllApplied();
        add(0, 1);
      }
    }
  }

  @Test
  void aBatchThatTheDatabaseHasFromElsewhereBreaksTheLane() {
    add(0, 1);
    stepLater();
    SampleBatch.write(
        store, new Batch(WorkerId.of(0), new BatchId(2, 7), BatchPages.of(List.of())));
    add(0, 1);
    stepLater();
    stepLater();
    assertEquals(1, metric(Family.PROJECTION_BROKEN));
    assertEquals(new BatchId(2, 7), store.applied(WorkerId.of(0)));
  }

  /** The database after one batch more, and after another. */
  private List<InMemoryProjectionStore> twoMoments() {
    List<InMemoryProjectionStore> copies = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      add(0, 1);
      stepLater();
      copies.add(store.copy());
    }
    return copies;
  }

  @Test
  void drainGivesUpWhenAnotherProcessKeepsMovingTheDatabase() {
    List<InMemoryProjectionStore> copies = twoMoments();
    add(0, 1);
    int[] next = new int[1];
    store.observe(advances -> store.replaceBy(copies.get(next[0]++ % 2)));
    assertThrows(UnavailableException.class, projector::drain);
    store.observe(asked::add);
    projector.drain();
    assertAllApplied();
  }

  @Test
  void aForgottenLaneIsNoTroubleAndIsNotAskedFor() {
    add(0, 1);
    add(1, 1);
    projector.forget(WorkerId.of(0));
    projector.release(WorkerId.of(0), SampleBatch.id(1));
    assertEquals(BatchId.NONE, projector.applied(WorkerId.of(0)));
    assertEquals(0, projector.pendingBytes(WorkerId.of(0)));
    SampleBatch.write(store, SampleBatch.of(0, 9, List.of()));
    stepLater();
    stepLater();
    assertEquals("", projector.trouble());
    assertEquals(0, metric(Family.PROJECTION_BROKEN));
    assertEquals(SampleBatch.id(1), store.applied(WorkerId.of(1)));
    assertEquals(SampleBatch.id(9), store.applied(WorkerId.of(0)));
    assertTrue(projector.awaitAll(Duration.ZERO));
    assertFalse(projector.awaitBatch(WorkerId.of(0), 1, Duration.ofMillis(1)));
  }

  /** How far the lane has come that begins again while a transaction writes the one before. */
  @ParameterizedTest
  @CsvSource({"0, 0", "0, 2", "1, 3", "2, 2", "3, 3"})
  void aLaneThatBeginsAgainDuringATransactionGoesOnFromThere(long position, int logged) {
    List<Batch> batches = List.of(next(0, 0), next(0, 0), next(0, 0));
    batches.subList(0, 2).forEach(batch -> projector.add(batch, List.of()));
    Runnable again =
        () -> {
          projector.forget(WorkerId.of(0));
          projector.begin(
              WorkerId.of(0), BatchId.NONE, SampleBatch.id(position), batches.subList(0, logged));
        };
    store.observe(
        advances -> {
          store.observe(asked::add);
          again.run();
        });
    stepLater();
    batches.subList(logged, 3).forEach(batch -> projector.add(batch, List.of()));
    for (long number = store.applied(WorkerId.of(0)).number() + 1; number <= position; number++) {
      SampleBatch.write(store, batches.get((int) number - 1));
    }
    stepLater();
    stepLater();
    assertAllApplied();
  }

  @Test
  void aLaneThatBeganAgainIsNotJudgedByAnEarlierAnswer() {
    add(0, 1);
    stepLater();
    BatchId another = new BatchId(2, 7);
    SampleBatch.write(store, new Batch(WorkerId.of(0), another, BatchPages.of(List.of())));
    projector.onDoubt(
        topics -> {
          projector.forget(WorkerId.of(0));
          projector.begin(WorkerId.of(0), another, another, List.of());
        });
    projector.doubt();
    try (OwnLog log = new OwnLog(Projector.class.getName())) {
      projector.step();
      assertEquals(List.of(), log.lines());
    }
    assertEquals("", projector.trouble());
  }

  @Test
  void aBeginningLaneWakesTheThread() {
    int[] woken = new int[1];
    projector.onWork(() -> woken[0]++);
    projector.begin(WorkerId.of(0), BatchId.NONE, BatchId.NONE, List.of());
    assertEquals(1, woken[0]);
  }

  @Test
  void aLaneBeginsBehindTheDatabaseAndRemembersWhatTheLogHas() {
    InMemoryProjectionStore earlier = new InMemoryProjectionStore();
    List<Batch> logged = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      logged.add(next(0, 1));
    }
    logged.subList(0, 2).forEach(batch -> SampleBatch.write(store, batch));
    earlier.replaceBy(store);
    SampleBatch.write(store, logged.get(2));

    projector.begin(WorkerId.of(0), BatchId.NONE, SampleBatch.id(3), logged);
    assertEquals(SampleBatch.id(3), projector.applied(WorkerId.of(0)));
    assertEquals(2, metric(Family.PROJECTION_LAG_BATCHES));
    store.replaceBy(earlier);
    asked.clear();
    projector.drain();
    assertEquals(
        List.of(List.of(4L, 5L), List.of(3L, 4L, 5L)),
        asked.stream().map(advances -> numbers(advances).get(0)).toList());
    assertEquals(SampleBatch.id(5), store.applied(WorkerId.of(0)));
    assertEquals(5, store.countKeys());
  }

  @Test
  void theLagHasBatchesBytesAndAnAge() {
    add(0, 2);
    time.advance(Duration.ofSeconds(3));
    add(1, 3);
    assertEquals(2, metric(Family.PROJECTION_LAG_BATCHES));
    assertEquals(5 * ROW_BYTES, metric(Family.PROJECTION_LAG_BYTES));
    assertEquals(3.0, metric(Family.PROJECTION_LAG_SECONDS));
    assertEquals(2 * ROW_BYTES, projector.pendingBytes(WorkerId.of(0)));
    assertEquals(3 * ROW_BYTES, projector.pendingBytes(WorkerId.of(1)));
    assertEquals(0, metric(Family.PROJECTION_FAILURES_TOTAL));
    assertEquals(0, metric(Family.PROJECTION_BROKEN));
    projector.step();
    assertAllApplied();
  }

  @Test
  void aDatabaseThatIsBehindForFiveSecondsIsTrouble() {
    add(0, 1);
    time.advance(Duration.ofMillis(4_999));
    assertEquals("", projector.trouble());
    time.advance(Duration.ofMillis(1));
    assertEquals("the database is 1 batches behind, for 5 s", projector.trouble());
    projector.step();
    assertAllApplied();
  }

  @Test
  void topicsThatPendingBatchesNameAreKnown() {
    shards.put(4, new SampleShard(7, 0));
    add(0, 1);
    add(4, 1);
    assertEquals(Set.of(1, 7), projector.pendingTopics());
    stepLater();
    assertEquals(Set.of(), projector.pendingTopics());
  }

  @Test
  void nothingIsWaitedForWhenTheDatabaseHasEverything() throws InterruptedException {
    assertTrue(projector.awaitAll(Duration.ZERO));
    add(0, 1);
    stepLater();
    assertTrue(projector.awaitAll(Duration.ZERO));
    assertTrue(projector.awaitBatch(WorkerId.of(0), 1, Duration.ZERO));
  }

  @Test
  void aWaitEndsInVain() throws InterruptedException {
    add(0, 1);
    assertFalse(projector.awaitAll(Duration.ofMillis(1)));
    assertFalse(projector.awaitBatch(WorkerId.of(0), 1, Duration.ofMillis(1)));
    assertFalse(projector.awaitBatch(WorkerId.of(0), 2, Duration.ZERO));
  }

  /** The clock stands still, so nothing would be due without the wait. */
  @Test
  void aWaitIsWorkThatIsDueAtOnce() throws Exception {
    Semaphore due = new Semaphore(0);
    projector.onWork(due::release);
    add(0, 1);
    due.drainPermits();
    Callable<Boolean> waits = () -> projector.awaitBatch(WorkerId.of(0), 1, Duration.ofSeconds(30));
    Callable<Boolean> projects =
        () -> due.tryAcquire(30, TimeUnit.SECONDS) && projector.step() == IDLE;
    assertEquals(List.of(true, true), Together.run(List.of(waits, projects)));
    assertAllApplied();
  }

  @Test
  void aWaitIsForBatchesThatWereThereBefore() throws Exception {
    Semaphore due = new Semaphore(0);
    projector.onWork(due::release);
    add(0, 1);
    due.drainPermits();
    Callable<Boolean> waits = () -> projector.awaitAll(Duration.ofSeconds(30));
    Callable<Boolean> projects =
        () -> {
          boolean isDue = due.tryAcquire(30, TimeUnit.SECONDS);
          store.observe(
              advances -> {
                store.observe(asked::add);
                add(1, 1);
              });
          projector.step();
          return isDue;
        };
    assertEquals(List.of(true, true), Together.run(List.of(waits, projects)));
    assertEquals(1, metric(Family.PROJECTION_LAG_BATCHES));
  }

  private static int most() {
    return MOST_BYTES / (Batch.MAX_ROWS * ROW_BYTES);
  }

  /** The first worker always has more than a transaction takes. */
  @Test
  void noWorkerWaitsBehindAnotherThatIsBusy() {
    add(0, 1);
    time.advance(Duration.ofMillis(1));
    for (int i = 0; i < 100; i++) {
      add(0, Batch.MAX_ROWS);
    }
    add(1, 1);
    add(2, 1);
    projector.step();
    Map<Integer, List<Long>> first = numbers(asked.get(0));
    assertEquals(List.of(1L), first.get(1));
    assertEquals(List.of(1L), first.get(2));
    assertEquals(1 + most(), requireNonNull(first.get(0)).size());
    projector.drain();
    assertAllApplied();
  }

  @Test
  void aTransactionIsSharedByWorkersThatHaveMore() {
    for (int i = 0; i < most(); i++) {
      add(0, Batch.MAX_ROWS);
    }
    time.advance(Duration.ofMillis(1));
    for (int i = 0; i < most(); i++) {
      add(1, Batch.MAX_ROWS);
      add(2, Batch.MAX_ROWS);
    }
    projector.step();
    Map<Integer, List<Long>> first = numbers(asked.get(0));
    int share = MOST_BYTES / 3 / (Batch.MAX_ROWS * ROW_BYTES);
    assertTrue(requireNonNull(first.get(1)).size() >= share, first::toString);
    assertTrue(requireNonNull(first.get(2)).size() >= share, first::toString);
    projector.drain();
    assertAllApplied();
  }

  @Test
  void theOldestBatchIsInTheNextTransaction() {
    add(2, 8_000);
    time.advance(Duration.ofMillis(1));
    add(0, 8_000);
    projector.step();
    assertEquals(Map.of(2, List.of(1L)), numbers(asked.get(0)));
    projector.drain();
    assertAllApplied();
  }

  private void refuse(int worker, long number) {
    store.refuse(
        batch ->
            batch.worker().equals(WorkerId.of(worker)) && batch.id().number() == number
                ? "ledger_page is full"
                : "");
  }

  /** Every other worker's batches, and its own up to the one, are applied. */
  @Test
  void aBatchThatTheDatabaseRefusesStopsItsWorkerAlone() {
    refuse(1, 3);
    for (int i = 0; i < 5; i++) {
      for (int worker = 0; worker < 4; worker++) {
        add(worker, 2);
      }
    }
    time.advance(Duration.ofMillis(20));
    for (int i = 0; i < 40; i++) {
      projector.step();
    }
    assertEquals(SampleBatch.id(5), store.applied(WorkerId.of(0)));
    assertEquals(SampleBatch.id(2), store.applied(WorkerId.of(1)));
    assertEquals(SampleBatch.id(5), store.applied(WorkerId.of(2)));
    assertEquals(SampleBatch.id(5), store.applied(WorkerId.of(3)));
    assertEquals(1, metric(Family.PROJECTION_BROKEN));
    assertEquals(
        "the database refuses batch 3 of worker 1 (ledger of topic id 1, shard 1, from number 5):"
            + " ledger_page is full",
        projector.trouble());
    assertEquals(
        List.of("1: BatchId[number=3, stamp=24301] to BatchId[number=5, stamp=24301] refused"),
        projector.refused().stream().map(RefusedBatch::toString).toList());
  }

  /** Somebody mends the table; nobody restarts the server. */
  @Test
  void aRefusedBatchIsTriedAgainUnderSteadyLoad() {
    add(0, 1);
    refuse(1, 1);
    add(1, 1);
    for (int i = 0; i < 5; i++) {
      stepLater();
      add(0, 1);
    }
    assertEquals(1, metric(Family.PROJECTION_BROKEN));
    int before = asked.size();
    for (int i = 0; i < 3; i++) {
      stepLater();
      projector.step();
      add(0, 1);
    }
    assertTrue(asked.size() - before <= 8, "once a second, beside the others");
    store.refuse(batch -> "");
    stepLater();
    projector.drain();
    assertAllApplied();
  }

  /** The table was mended, and the connection broke behind the commit. */
  @Test
  void aRefusedBatchWhoseSecondTryLosesItsAnswerIsNotTriedAgain() {
    refuse(0, 1);
    add(0, 1);
    stepLater();
    assertEquals(1, metric(Family.PROJECTION_BROKEN));
    store.refuse(batch -> "");
    store.failNext(Fault.AFTER);
    stepLater();
    store.away(true);
    stepLater();
    store.away(false);
    stepLater();
    assertAllApplied();
    add(0, 1);
    stepLater();
    assertAllApplied();
  }

  /** No batch is due that would find it out, and the server is read from. */
  @Test
  void aFallbackIsNoticedWhenNothingIsSent() {
    add(0, 1);
    stepLater();
    InMemoryProjectionStore earlier = store.copy();
    add(0, 1);
    stepLater();
    store.replaceBy(earlier);
    stepLater();
    assertAllApplied();
  }

  @Test
  void topicsAreRestoredAfterAFallbackOrAFailureAndNotAtEachLook() {
    int[] restored = new int[1];
    add(0, 1);
    stepLater();
    InMemoryProjectionStore earlier = store.copy();
    add(0, 1);
    stepLater();
    projector.onDoubt(topics -> restored[0]++);
    stepLater();
    stepLater();
    assertEquals(0, restored[0], "looks that find the database where it was");
    store.replaceBy(earlier);
    stepLater();
    assertEquals(1, restored[0], "a fallback");
    assertAllApplied();
    store.away(true);
    stepLater();
    store.away(false);
    stepLater();
    assertEquals(2, restored[0], "a database that comes back");
  }

  @Test
  void aLostLaneIsLookedAtAgainUnderSteadyLoad() {
    add(0, 1);
    add(1, 1);
    stepLater();
    InMemoryProjectionStore tooOld = store.copy();
    add(0, 1);
    stepLater();
    projector.release(WorkerId.of(0), SampleBatch.id(2));
    InMemoryProjectionStore mended = store.copy();
    store.replaceBy(tooOld);
    stepLater();
    assertEquals(1, metric(Family.PROJECTION_BROKEN));
    store.replaceBy(mended);
    for (int i = 0; i < 3; i++) {
      add(1, 1);
      time.advance(Duration.ofMillis(400));
      projector.step();
      add(1, 1);
    }
    assertEquals(0, metric(Family.PROJECTION_BROKEN));
    projector.drain();
    assertAllApplied();
  }

  /** Its record is gone, and a blank names it: a start would go on from there, so this does. */
  @Test
  void aLaneReachesBackToTheBatchOfItsOldestEntry() {
    List<Batch> all = List.of(next(0, 1), next(0, 1), next(0, 1));
    all.subList(0, 2).forEach(batch -> SampleBatch.write(store, batch));
    InMemoryProjectionStore earlier = store.copy();
    SampleBatch.write(store, all.get(2));
    projector.begin(WorkerId.of(0), SampleBatch.id(2), SampleBatch.id(3), all.subList(2, 3));
    store.replaceBy(earlier);
    stepLater();
    projector.drain();
    assertEquals(0, metric(Family.PROJECTION_BROKEN));
    assertEquals(SampleBatch.id(3), store.applied(WorkerId.of(0)));
  }

  /** Another number of workers had the ledger before: its pages are in two logs. */
  @Test
  void aLedgerOfSeveralLogsIsAppliedInTheOrderOfItsNumbers() {
    SampleShard ledger = new SampleShard(1, 0);
    List<List<Batch>> logs = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    int[] order = {2, 2, 1, 0, 2, 1, 1, 0, 2};
    for (int i = 0; i < order.length; i++) {
      List<Batch> log = logs.get(order[i]);
      log.add(SampleBatch.of(order[i], log.size() + 1L, ledger.rows("k" + i, 3, LATER)));
    }
    for (int i = 0; i < 4; i++) {
      Batch next = logs.get(order[i]).get((int) store.applied(WorkerId.of(order[i])).number());
      SampleBatch.write(store, next);
    }
    for (int worker = 0; worker < logs.size(); worker++) {
      projector.begin(
          WorkerId.of(worker), BatchId.NONE, store.applied(WorkerId.of(worker)), logs.get(worker));
    }
    InMemoryProjectionStore earlier = store.copy();
    store.observe(
        advances ->
            assertEquals(
                new LedgerVerdict.Intact(end(ledger)),
                LedgerVerdict.check(LedgerHead.EMPTY, store.ledger(ledger.ledger(), 1, 1_000))));
    projector.drain();
    assertEquals(27, end(ledger));

    store.replaceBy(earlier);
    stepLater();
    projector.drain();
    assertEquals(27, end(ledger), "again, from memory");
    assertEquals(27, store.countKeys());
  }

  private long end(SampleShard shard) {
    return store.heads().getOrDefault(shard.ledger(), LedgerHead.EMPTY).seq();
  }

  /** The pages behind it would begin with a number that the ledger has not reached. */
  @Test
  void aLogWaitsForTheRefusedBatchOfAnotherThatHasItsLedger() {
    SampleShard ledger = new SampleShard(1, 0);
    Batch refused = SampleBatch.of(1, 1, ledger.rows("a", 2, LATER));
    Batch behind = SampleBatch.of(0, 1, ledger.rows("b", 2, LATER));
    projector.begin(WorkerId.of(0), BatchId.NONE, BatchId.NONE, List.of(behind));
    projector.begin(WorkerId.of(1), BatchId.NONE, BatchId.NONE, List.of(refused));
    refuse(1, 1);
    projector.drain();
    assertEquals(0, end(ledger));
    stepLater();
    projector.step();
    assertTrue(projector.step() >= GATHERING, "it does not spin");
    store.refuse(batch -> "");
    stepLater();
    projector.drain();
    assertEquals(4, end(ledger));
  }

  @Test
  void aLedgerContinuesAcrossTransactions() {
    for (int i = 0; i < 5; i++) {
      add(0, 3);
      stepLater();
    }
    assertEquals(15, requireNonNull(store.heads().get(new LedgerId(1, 0))).seq());
    assertAllApplied();
  }

  /** A replica that has nothing of a worker yet. */
  @Test
  void aDatabaseThatFellBackBehindTheFirstBatchIsBroughtUpToDate() {
    InMemoryProjectionStore empty = store.copy();
    add(0, 2);
    add(0, 1);
    projector.drain();
    store.replaceBy(empty);
    projector.doubt();
    stepLater();
    assertAllApplied();
  }

  @Test
  void theTopicsAreRestoredBeforeBatchesAreJudged() {
    InMemoryProjectionStore older = store.copy();
    Set<Integer> there = new HashSet<>(Set.of(1));
    store.topics(() -> there);
    add(0, 1);
    projector.drain();
    store.replaceBy(older);
    there.clear();
    projector.onDoubt(there::addAll);
    projector.doubt();
    stepLater();
    assertEquals(Set.of(1), there);
    assertAllApplied();
  }

  /** The clock stands still, and the wait is for the second of two transactions. */
  @Test
  void aWaitOutlastsTheTransactionsBeforeItsBatch() throws Exception {
    Semaphore due = new Semaphore(0);
    projector.onWork(due::release);
    add(0, 8_000);
    add(0, 8_000);
    due.drainPermits();
    Callable<Boolean> waits = () -> projector.awaitBatch(WorkerId.of(0), 2, Duration.ofSeconds(30));
    Callable<Boolean> projects =
        () -> {
          boolean isDue = due.tryAcquire(30, TimeUnit.SECONDS);
          projector.step();
          boolean isAgain = due.tryAcquire(30, TimeUnit.SECONDS);
          projector.step();
          return isDue && isAgain;
        };
    assertEquals(List.of(true, true), Together.run(List.of(waits, projects)));
    assertAllApplied();
  }

  @Test
  void aDoubtWakesTheThread() {
    int[] wakes = new int[1];
    projector.onWork(() -> wakes[0]++);
    projector.doubt();
    assertEquals(1, wakes[0]);
  }

  /** One batch of 64 is refused: the search halves, and takes no step for each batch. */
  @Test
  void aRefusedBatchIsFoundByHalving() {
    refuse(0, 40);
    for (int i = 0; i < 64; i++) {
      add(0, 1);
    }
    time.advance(Duration.ofMillis(20));
    while (metric(Family.PROJECTION_BROKEN) == 0) {
      projector.step();
      assertTrue(asked.size() <= 14, asked.size() + " transactions");
    }
    assertEquals(SampleBatch.id(39), store.applied(WorkerId.of(0)));
  }

  @Test
  void aBrokenLaneIsNotDueHoweverLargeItIs() {
    refuse(0, 1);
    add(0, 8_000);
    projector.step();
    assertEquals(1, metric(Family.PROJECTION_BROKEN));
    assertEquals(IDLE, projector.step());
  }

  @Test
  void aDatabaseThatIsAwayIsNoTroubleWhileNothingIsDue() {
    add(0, 1);
    stepLater();
    store.away(true);
    assertEquals(AFTER_FAILURE, stepLater());
    assertEquals(0, metric(Family.PROJECTION_FAILURES_TOTAL));
    assertEquals("", projector.trouble());
  }

  /** It may be another one, also if it went away during a mere look. */
  @Test
  void topicsAreRestoredSoonAfterADatabaseComesBack() {
    int[] restored = new int[1];
    add(0, 1);
    stepLater();
    projector.onDoubt(topics -> restored[0]++);
    store.away(true);
    assertEquals(AFTER_FAILURE, stepLater());
    store.away(false);
    time.advance(Duration.ofMillis(200));
    projector.step();
    assertEquals(1, restored[0]);
  }

  /** How often in a row the database moves before it stays. */
  @ParameterizedTest
  @CsvSource({"5, true", "6, false"})
  void drainFollowsADatabaseThatMovesAFewTimes(int moves, boolean isFollowed) {
    List<InMemoryProjectionStore> copies = twoMoments();
    add(0, 1);
    int[] moved = new int[1];
    store.observe(
        advances -> {
          if (moved[0] < moves) {
            store.replaceBy(copies.get(moved[0]++ % 2));
          }
        });
    if (isFollowed) {
      projector.drain();
      assertAllApplied();
    } else {
      assertThrows(UnavailableException.class, projector::drain);
    }
  }

  /** Operators read one line when something begins, however often it is met again. */
  @Test
  void whatLastsIsToldOnce() {
    try (OwnLog log = new OwnLog(Projector.class.getName())) {
      add(0, 1);
      add(1, 1);
      store.away(true);
      stepLater();
      stepLater();
      store.away(false);
      stepLater();
      stepLater();
      assertEquals(List.of("WARNING", "INFO"), levels(log), "an outage");

      refuse(0, 2);
      add(0, 1);
      for (int i = 0; i < 5; i++) {
        stepLater();
      }
      assertEquals(List.of("WARNING", "INFO", "SEVERE"), levels(log), "a refusal");

      SampleBatch.write(
          store, new Batch(WorkerId.of(1), new BatchId(2, 7), BatchPages.of(List.of())));
      for (int i = 0; i < 5; i++) {
        stepLater();
      }
      assertEquals(List.of("WARNING", "INFO", "SEVERE", "SEVERE"), levels(log), "a lost lane");
    }
  }

  private static List<String> levels(OwnLog log) {
    return log.lines().stream().map(line -> line.substring(0, line.indexOf(' '))).toList();
  }
}
