package org.svcmailbox.core.batch;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.batch.ProjectionStore.Adoption;
import org.svcmailbox.core.batch.ProjectionStore.Advance;
import org.svcmailbox.core.batch.ProjectionStore.MovedException;
import org.svcmailbox.core.batch.ProjectionStore.Swept;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.test.concurrent.Together;

/** The behaviour of every {@link ProjectionStore}. */
public interface ProjectionStoreContract {
  /** A moment that keys expire around. */
  Instant NOW = Instant.parse("2026-03-01T12:00:00.123Z");

  /** An expiry in the future. */
  Instant LATER = NOW.plus(Duration.ofMinutes(10));

  /** An expiry in the past. */
  Instant EARLIER = NOW.minus(Duration.ofMinutes(10));

  /** The store under test: empty at the start of a test, the same one throughout it. */
  ProjectionStore store();

  /** Marks a topic's ledgers for {@link ProjectionStore#sweepDeleted}, as its deletion does. */
  void deleteTopic(int topicId);

  /** Applies batches of one worker behind those that are there, in one transaction. */
  private void apply(Batch... batches) throws MovedException {
    WorkerId worker = batches[0].worker();
    store().apply(List.of(new Advance(worker, store().applied(worker), List.of(batches))));
  }

  /** Applies rows as a worker's next batch. */
  private void apply(int worker, List<Row> rows) throws MovedException {
    apply(SampleBatch.of(worker, store().applied(WorkerId.of(worker)).number() + 1, rows));
  }

  /** All that the store has of keys, as a start reads it. */
  private Map<IdempotencyKey, Reservation> keys() {
    Map<IdempotencyKey, Reservation> found = new HashMap<>();
    SampleBatch.everyKeyPage(
        store(),
        (batchNo, keys) ->
            keys.forEach(
                key -> {
                  Reservation reservation = keys.find(key);
                  assertTrue(reservation != null);
                  assertNull(found.put(key, reservation), "the key is in two pages");
                }));
    return found;
  }

  private List<LedgerEntry> ledger(LedgerId ledger) {
    return store().ledger(ledger, 1, 10_000);
  }

  @Test
  default void anEmptyStoreHasNothing() {
    LedgerId ledger = new LedgerId(1, 0);
    assertEquals(BatchId.NONE, store().applied(WorkerId.of(0)));
    assertEquals(List.of(), store().workers());
    assertEquals(Map.of(), keys());
    assertEquals(0, store().entries(WorkerId.of(0), 1, LATER.toEpochMilli()).length);
    assertEquals(Map.of(), store().heads());
    assertEquals(0, store().floor());
    assertEquals(List.of(), ledger(ledger));
    assertEquals(LedgerHead.EMPTY, store().ledgerStart(ledger));
    assertEquals(Optional.empty(), store().ledgerOldest(ledger));
    assertEquals(0, store().trimLedger(ledger, LATER, 10));
    assertEquals(0, store().ledgerBytes());
    assertEquals(Swept.NOTHING, store().sweepDeleted(10, Set.of()));
    purgeKeys(Long.MAX_VALUE);
  }

  /** Purges the keys of every worker, and of some that have none. */
  private void purgeKeys(long until) {
    Set<WorkerId> workers = new HashSet<>(store().workers());
    IntStream.range(40, 1_040).mapToObj(WorkerId::of).forEach(workers::add);
    store().purgeKeys(workers, until);
  }

  @Test
  default void aPurgeLeavesTheKeysOfOtherWorkers() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    List<List<Row>> rows = new ArrayList<>();
    for (int worker = 0; worker < 3; worker++) {
      rows.add(shard.rows("w" + worker, 2, NOW));
      apply(worker, rows.get(worker));
    }
    store().purgeKeys(Set.of(), Long.MAX_VALUE);
    assertEquals(6, keys().size());
    store().purgeKeys(Set.of(WorkerId.of(1), WorkerId.of(7)), Long.MAX_VALUE);
    assertEquals(
        reservations(
            List.of(
                rows.get(0).get(0), rows.get(0).get(1), rows.get(2).get(0), rows.get(2).get(1))),
        keys());
  }

  @Test
  default void batchesAreAppliedInOrderAndTheLastOneIsKnown() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = shard.rows("k", 6, LATER);
    apply(
        SampleBatch.of(0, 1, rows.subList(0, 1)),
        SampleBatch.of(0, 2, rows.subList(1, 3)),
        SampleBatch.of(0, 3, rows.subList(3, 4)));
    assertEquals(SampleBatch.id(3), store().applied(WorkerId.of(0)));
    apply(SampleBatch.of(0, 4, rows.subList(4, 6)));

    assertEquals(SampleBatch.id(4), store().applied(WorkerId.of(0)));
    assertEquals(reservations(rows), keys());
    assertEquals(entries(rows, 1), ledger(shard.ledger()));
    assertEquals(Map.of(shard.ledger(), LedgerHead.after(rows.get(5).entry())), store().heads());
  }

  @Test
  default void batchesOfSeveralWorkersAreOneTransaction() throws MovedException {
    List<SampleShard> shards = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    List<Advance> first = new ArrayList<>();
    List<Advance> second = new ArrayList<>();
    for (int worker = 2; worker < 6; worker++) {
      SampleShard shard = new SampleShard(1, worker);
      List<Row> mine = shard.rows("w" + worker, 4, LATER);
      first.add(advance(BatchId.NONE, SampleBatch.of(worker, 1, mine.subList(0, 1))));
      second.add(
          advance(
              SampleBatch.id(1),
              SampleBatch.of(worker, 2, mine.subList(1, 3)),
              SampleBatch.of(worker, 3, mine.subList(3, 4))));
      shards.add(shard);
      rows.addAll(mine);
    }
    store().apply(first);
    store().apply(second);

    assertEquals(
        List.of(WorkerId.of(2), WorkerId.of(3), WorkerId.of(4), WorkerId.of(5)),
        store().workers().stream().sorted().toList());
    assertEquals(reservations(rows), keys());
    for (SampleShard shard : shards) {
      int at = 4 * shards.indexOf(shard);
      assertEquals(entries(rows.subList(at, at + 4), 1), ledger(shard.ledger()));
      assertEquals(SampleBatch.id(3), store().applied(WorkerId.of(shard.ledger().shard())));
    }
    assertEquals(BatchId.NONE, store().applied(WorkerId.of(0)));
  }

  @Test
  default void nothingIsAppliedBehindAnotherBatchThanTheLast() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> there = shard.rows("there", 2, LATER);
    apply(SampleBatch.of(0, 1, there.subList(0, 1)), SampleBatch.of(0, 2, there.subList(1, 2)));
    List<Row> next = shard.rows("next", 1, LATER);
    for (BatchId from :
        List.of(
            BatchId.NONE,
            SampleBatch.id(1),
            SampleBatch.id(3),
            new BatchId(2, 7),
            new BatchId(1, SampleBatch.id(2).stamp() + 1))) {
      assertMoved(0, advance(from, SampleBatch.of(0, 9, next)));
    }
    assertEquals(SampleBatch.id(2), store().applied(WorkerId.of(0)));
    assertEquals(reservations(there), keys());
    assertEquals(entries(there, 1), ledger(shard.ledger()));
    assertEquals(LedgerHead.after(there.get(1).entry()), store().heads().get(shard.ledger()));
    long bytes = store().ledgerBytes();

    apply(SampleBatch.of(0, 9, next));
    assertEquals(SampleBatch.id(9), store().applied(WorkerId.of(0)));
    assertTrue(store().ledgerBytes() > bytes, "the refused ones did not count");
  }

  @Test
  default void aWorkerWithoutABatchHasOnlyAFirst() {
    Batch batch = SampleBatch.of(0, 2, new SampleShard(1, 0).rows("k", 2, LATER));
    assertMoved(0, advance(SampleBatch.id(1), batch));
    assertMoved(0, advance(new BatchId(0, 7), batch));
    assertEquals(List.of(), store().workers());
    assertEquals(Map.of(), keys());
  }

  /** Whichever of the advances it is, nothing of the others is written. */
  @Test
  default void oneWorkerThatHasMovedStopsTheWholeTransaction() throws MovedException {
    apply(SampleBatch.of(1, 1, new SampleShard(1, 1).rows("there", 1, LATER)));
    Map<IdempotencyKey, Reservation> there = keys();
    for (int moved = 0; moved < 3; moved++) {
      List<Advance> advances = new ArrayList<>();
      for (int worker = 0; worker < 3; worker++) {
        LedgerId ledger = new LedgerId(1, worker);
        LedgerHead head = store().heads().getOrDefault(ledger, LedgerHead.EMPTY);
        List<Row> rows = new SampleShard(1, worker, head).rows("w" + worker, 1, LATER);
        BatchId from = worker == moved ? new BatchId(1, 7) : store().applied(WorkerId.of(worker));
        advances.add(advance(from, SampleBatch.of(worker, 5, rows)));
      }
      assertMoved(moved, advances.toArray(new Advance[0]));
      assertEquals(there, keys());
      assertEquals(List.of(WorkerId.of(1)), store().workers());
      assertEquals(SampleBatch.id(1), store().applied(WorkerId.of(1)));
      assertEquals(Set.of(new LedgerId(1, 1)), store().heads().keySet());
    }
  }

  private void assertMoved(int worker, Advance... advances) {
    MovedException moved =
        assertThrows(MovedException.class, () -> store().apply(List.of(advances)));
    assertEquals(new MovedException(WorkerId.of(worker)).getMessage(), moved.getMessage());
  }

  @Test
  default void aBatchIsKnownByItsStampToo() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    BatchId first = new BatchId(1, Long.MIN_VALUE);
    BatchId second = new BatchId(2, Long.MAX_VALUE);
    apply(new Batch(WorkerId.of(0), first, BatchPages.of(shard.rows("a", 1, LATER))));
    assertEquals(first, store().applied(WorkerId.of(0)));
    apply(new Batch(WorkerId.of(0), second, BatchPages.of(shard.rows("b", 1, LATER))));
    assertEquals(second, store().applied(WorkerId.of(0)));
    assertMoved(0, advance(new BatchId(2, Long.MIN_VALUE), SampleBatch.of(0, 3, List.of())));
  }

  @Test
  default void aBatchWithoutRowsStillCounts() throws MovedException {
    apply(5, List.of());
    assertEquals(SampleBatch.id(1), store().applied(WorkerId.of(5)));
    assertEquals(List.of(WorkerId.of(5)), store().workers());
    apply(5, List.of());
    assertEquals(SampleBatch.id(2), store().applied(WorkerId.of(5)));
  }

  @Test
  default void batchNumbersArePerWorkerAndMayHaveGaps() throws MovedException {
    apply(SampleBatch.of(7, 1, new SampleShard(1, 0).rows("a", 1, LATER)));
    apply(SampleBatch.of(3, 41, new SampleShard(1, 1).rows("b", 1, LATER)));
    apply(SampleBatch.of(3, 44, new SampleShard(1, 2).rows("c", 1, LATER)));

    assertEquals(SampleBatch.id(1), store().applied(WorkerId.of(7)));
    assertEquals(SampleBatch.id(44), store().applied(WorkerId.of(3)));
    assertEquals(BatchId.NONE, store().applied(WorkerId.of(0)));
    assertEquals(
        List.of(WorkerId.of(3), WorkerId.of(7)), store().workers().stream().sorted().toList());
  }

  @Test
  default void aWorkerWhoseLogWasMadeIsKnownAndBeginsWithItsFirstBatch() throws MovedException {
    apply(SampleBatch.of(3, 1, new SampleShard(1, 0).rows("a", 1, LATER)));
    for (int times = 0; times < 2; times++) {
      store().logsMade(Set.of(WorkerId.of(3), WorkerId.of(7)));
      assertEquals(
          List.of(WorkerId.of(3), WorkerId.of(7)), store().workers().stream().sorted().toList());
      assertEquals(SampleBatch.id(1), store().applied(WorkerId.of(3)));
      assertEquals(BatchId.NONE, store().applied(WorkerId.of(7)));
    }
    apply(SampleBatch.of(7, 1, new SampleShard(1, 1).rows("b", 1, LATER)));
    assertEquals(SampleBatch.id(1), store().applied(WorkerId.of(7)));
  }

  @Test
  default void ofManyProjectorsAtTheSamePlaceOneGoesOn() throws Exception {
    int rounds = 10;
    SampleShard shard = new SampleShard(1, 0);
    for (int round = 1; round <= rounds; round++) {
      Advance advance =
          advance(
              SampleBatch.id(round - 1),
              SampleBatch.of(0, round, shard.rows("k" + round, 3, LATER)));
      Callable<Boolean> attempt = () -> isApplied(advance);
      assertEquals(
          1, Together.run(4, attempt).stream().filter(won -> won).count(), "round " + round);
      assertEquals(SampleBatch.id(round), store().applied(WorkerId.of(0)));
      assertEquals(3 * round, keys().size());
    }
    assertEquals(
        new LedgerVerdict.Intact(3L * rounds),
        LedgerVerdict.check(LedgerHead.EMPTY, ledger(shard.ledger())));
  }

  /** A busy database may also say that it is away; it must not say that it has moved then. */
  private boolean isApplied(Advance advance) {
    try {
      store().apply(List.of(advance));
      return true;
    } catch (MovedException e) {
      return false;
    }
  }

  @Test
  default void workersAndReadersAtOnceAllEnd() throws Exception {
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (int worker = 0; worker < 4; worker++) {
      SampleShard shard = new SampleShard(1, worker);
      int id = worker;
      tasks.add(
          () -> {
            for (int batch = 1; batch <= 10; batch++) {
              apply(id, shard.rows("k" + id + "-" + batch, 5, LATER));
              assertEquals(5 * batch, ledger(shard.ledger()).size());
            }
            return true;
          });
    }
    assertEquals(4, Together.run(tasks).size());
    assertEquals(200, keys().size());
  }

  @Test
  default void keysOfDifferentTopicsAreDifferentWhateverTheirText() throws MovedException {
    String text = "ключ-鍵-🔑-" + "ß".repeat(200);
    Row inOne = new SampleShard(1, 0).row(text, LATER);
    Row inTwo = new SampleShard(2, 0).row(text, LATER);
    assertNotEquals(inOne.key(), inTwo.key());
    apply(0, List.of(inOne, inTwo));

    assertEquals(reservations(List.of(inOne, inTwo)), keys());
  }

  @Test
  default void keysWithEveryKindOfBitsAreReadBack() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = new ArrayList<>();
    for (long high : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      for (long low : new long[] {0, -1, Long.MIN_VALUE}) {
        Row row = shard.row("any", LATER);
        rows.add(new Row(new IdempotencyKey(high, low), row.reservation(), 1, 0, row.entry()));
      }
    }
    apply(0, rows);

    assertEquals(reservations(rows), keys());
  }

  @Test
  default void aWindowIsNeverShortenedByRounding() throws MovedException {
    Instant exact = NOW.plusNanos(1_000_001);
    apply(0, new SampleShard(1, 0).rows("k", 1, exact));

    Instant stored = keys().values().iterator().next().expiresAt();
    assertFalse(stored.isBefore(exact));
    assertTrue(stored.isBefore(exact.plusMillis(1)));
    purgeKeys(stored.toEpochMilli() - 1);
    assertEquals(1, keys().size());
  }

  @Test
  default void aPageOfKeysIsReadByWorkerBatchAndExpiry() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = new ArrayList<>(shard.rows("a", 3, LATER));
    rows.addAll(shard.rows("b", 2, LATER.plusMillis(1)));
    BatchPages pages = BatchPages.of(rows);
    apply(new Batch(WorkerId.of(4), SampleBatch.id(7), pages));

    long expiry = LATER.toEpochMilli();
    assertArrayEquals(pages.keys().get(0).entries(), store().entries(WorkerId.of(4), 7, expiry));
    assertArrayEquals(
        pages.keys().get(1).entries(), store().entries(WorkerId.of(4), 7, expiry + 1));
    for (byte[] none :
        List.of(
            store().entries(WorkerId.of(3), 7, expiry),
            store().entries(WorkerId.of(4), 6, expiry),
            store().entries(WorkerId.of(4), 7, expiry + 2))) {
      assertEquals(0, none.length);
    }
  }

  /** More of them than are read at once. */
  @Test
  default void pagesOfKeysComeInTheOrderOfTheirBatches() throws MovedException {
    List<Batch> first = new ArrayList<>();
    List<Batch> second = new ArrayList<>();
    SampleShard one = new SampleShard(1, 0);
    SampleShard two = new SampleShard(1, 1);
    for (int number = 1; number <= 600; number++) {
      first.add(SampleBatch.of(0, number, one.rows("a" + number, 1, LATER)));
      List<Row> rows = new ArrayList<>(two.rows("b" + number, 1, LATER));
      rows.addAll(two.rows("c" + number, 1, LATER.minusMillis(number)));
      second.add(SampleBatch.of(1, number, rows));
    }
    store().apply(List.of(new Advance(WorkerId.of(0), BatchId.NONE, first)));
    store().apply(List.of(new Advance(WorkerId.of(1), BatchId.NONE, second)));

    Map<WorkerId, List<Long>> batches = new HashMap<>();
    for (int number = 0; number < 3; number++) {
      WorkerId worker = WorkerId.of(number);
      List<Long> seen = batches.computeIfAbsent(worker, none -> new ArrayList<>());
      store()
          .keyPages(
              worker,
              (batchNo, keys) -> {
                assertTrue(seen.isEmpty() || seen.get(seen.size() - 1) <= batchNo);
                seen.add(batchNo);
                byte[] entries = store().entries(worker, batchNo, keys.expiresAt());
                assertArrayEquals(keys.entries(), entries);
              });
    }
    assertEquals(600, requireNonNull(batches.get(WorkerId.of(0))).size());
    assertEquals(1_200, requireNonNull(batches.get(WorkerId.of(1))).size());
    assertEquals(List.of(), batches.get(WorkerId.of(2)));
  }

  @Test
  default void aPurgeRemovesWhatExpiredByThenAndNothingElse() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = new ArrayList<>();
    for (int batch = 0; batch < 5; batch++) {
      List<Row> together = shard.rows("k" + batch, 3, NOW.plusMillis(batch));
      apply(batch % 2, together);
      rows.addAll(together);
    }
    purgeKeys(NOW.toEpochMilli() - 1);
    assertEquals(15, keys().size());
    purgeKeys(NOW.toEpochMilli() + 1);
    assertEquals(reservations(rows.subList(6, 15)), keys());
    purgeKeys(Long.MAX_VALUE);
    assertEquals(Map.of(), keys());

    assertEquals(entries(rows, 1), ledger(shard.ledger()));
    assertEquals(SampleBatch.id(3), store().applied(WorkerId.of(0)));
    assertEquals(0, store().entries(WorkerId.of(0), 1, NOW.toEpochMilli()).length);
  }

  @Test
  default void aKeyThatExpiredMayBeTakenAgainBesideItsOldPage() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    Row old = shard.row("k", EARLIER);
    Row fresh = shard.row("k", LATER);
    apply(0, List.of(old));
    apply(1, List.of(fresh));
    purgeKeys(EARLIER.toEpochMilli());

    assertEquals(reservations(List.of(fresh)), keys());
  }

  @Test
  default void headsAreWhereEachLedgerEnds() throws MovedException {
    SampleShard one = new SampleShard(1, 1);
    SampleShard two = new SampleShard(1, 2);
    SampleShard three = new SampleShard(2, 1);
    List<Row> rows = one.rows("k", 12, LATER);
    apply(0, rows.subList(0, 5));
    List<Row> mixed = new ArrayList<>(two.rows("l", 30, LATER));
    mixed.addAll(rows.subList(5, 12));
    apply(1, mixed);
    Row last = three.row("m", LATER);
    apply(0, List.of(last));

    assertEquals(
        Map.of(
            one.ledger(), LedgerHead.after(rows.get(11).entry()),
            two.ledger(), LedgerHead.after(mixed.get(29).entry()),
            three.ledger(), LedgerHead.after(last.entry())),
        store().heads());
  }

  @Test
  default void aHeadStaysWhenAllOfItsLedgerThatCanGoIsGone() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = shard.rows("k", 3, LATER);
    for (Row row : rows) {
      apply(0, List.of(row));
    }
    assertEquals(2, store().trimLedger(shard.ledger(), NOW, 10));
    assertEquals(LedgerHead.after(rows.get(2).entry()), store().heads().get(shard.ledger()));
  }

  /** A batch that skips numbers, as after an adoption, makes two pages. */
  @Test
  default void aHeadIsThatOfTheLastOfSeveralPages() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    Row first = shard.row("a", LATER);
    shard.row("skipped", LATER);
    Row third = shard.row("b", LATER);
    apply(0, List.of(first, third));

    assertEquals(List.of(first.entry(), third.entry()), ledger(shard.ledger()));
    assertEquals(LedgerHead.after(third.entry()), store().heads().get(shard.ledger()));
  }

  /** After a change of the number of workers two logs have pages of one ledger. */
  @Test
  default void aHeadIsTheHighestWhicheverWorkerHasIt() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = shard.rows("k", 6, LATER);
    store()
        .apply(
            List.of(
                advance(BatchId.NONE, SampleBatch.of(0, 1, rows.subList(2, 6))),
                advance(BatchId.NONE, SampleBatch.of(1, 1, rows.subList(0, 2)))));
    assertEquals(LedgerHead.after(rows.get(5).entry()), store().heads().get(shard.ledger()));
    assertEquals(entries(rows, 1), ledger(shard.ledger()));
  }

  /** Its first number is within another page, so that no key of a table says so. */
  @Test
  default void aNumberThatWasGivenIsRefused() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> there = shard.rows("there", 4, LATER);
    apply(0, there);
    LedgerHead earlier = LedgerHead.after(there.get(1).entry());
    List<Row> twice = new SampleShard(1, 0, earlier).rows("twice", 4, LATER);
    long bytes = store().ledgerBytes();

    BatchRefusedException refused =
        assertThrows(BatchRefusedException.class, () -> apply(1, twice));
    assertTrue(String.valueOf(refused.getMessage()).contains("ledger_head"), refused::getMessage);
    assertEquals(List.of(WorkerId.of(0)), store().workers());
    assertEquals(reservations(there), keys());
    assertEquals(entries(there, 1), ledger(shard.ledger()));
    assertEquals(LedgerHead.after(there.get(3).entry()), store().heads().get(shard.ledger()));
    assertEquals(bytes, store().ledgerBytes());
  }

  @Test
  default void aBatchWhosePagesAreThereIsRefusedWithTheTablesName() throws MovedException {
    List<Row> rows = new SampleShard(1, 0).rows("k", 2, LATER);
    apply(0, rows);
    Map<IdempotencyKey, Reservation> there = keys();
    store().adopt(adoption(0, 0, Long.MAX_VALUE, 0));
    BatchRefusedException refused =
        assertThrows(
            BatchRefusedException.class,
            () -> apply(SampleBatch.of(0, 1, new SampleShard(2, 0).rows("k", 2, LATER))));
    String why = String.valueOf(refused.getMessage());
    assertTrue(why.contains("idempotency_page"), why);
    assertEquals(there, keys());
    assertEquals(SampleBatch.id(0), store().applied(WorkerId.of(0)));
  }

  @Test
  default void thePagesOfEachLedgerEndSomewhere() throws MovedException {
    assertEquals(Map.of(), store().pageEnds());
    for (int topic = 1; topic <= 3; topic++) {
      for (int number = 0; number < 3; number++) {
        SampleShard shard = new SampleShard(topic, 4 * number);
        apply(topic, shard.rows("a", 1, LATER));
        apply(topic, shard.rows("b", 1 + number, LATER));
      }
    }
    assertEquals(9, store().pageEnds().size());
    assertEquals(store().heads(), store().pageEnds());

    store().trimLedger(new LedgerId(2, 4), Instant.MAX, 10);
    assertEquals(store().heads(), store().pageEnds());
  }

  @Test
  default void headsAreSetWhateverTheyWere() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = shard.rows("k", 4, LATER);
    apply(0, rows);
    LedgerHead third = LedgerHead.after(rows.get(2).entry());
    LedgerId other = new LedgerId(1, 1);
    store().putHeads(Map.of(shard.ledger(), third, other, third));
    assertEquals(Map.of(shard.ledger(), third, other, third), store().heads());
    assertEquals(Map.of(shard.ledger(), LedgerHead.after(rows.get(3).entry())), store().pageEnds());
  }

  @Test
  default void theLargestBatchIsWrittenWhole() throws MovedException {
    List<Row> rows = new ArrayList<>();
    for (int shard = 0; shard < Batch.MAX_ROWS; shard++) {
      rows.add(new SampleShard(1, shard).row("k" + shard, LATER));
    }
    apply(0, rows);

    assertEquals(reservations(rows), keys());
    assertEquals(Batch.MAX_ROWS, store().heads().size());
    for (Row row : rows) {
      LedgerId ledger = new LedgerId(1, row.shard());
      assertEquals(List.of(row.entry()), ledger(ledger));
      assertEquals(LedgerHead.after(row.entry()), store().heads().get(ledger));
    }
  }

  @Test
  default void theLargestBatchOfTwoLedgersIsWrittenWhole() throws MovedException {
    SampleShard first = new SampleShard(1, 0);
    SampleShard second = new SampleShard(2, 3);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < Batch.MAX_ROWS / 2; i++) {
      rows.add(first.row("k" + i, LATER));
      rows.add(second.row("k" + i, LATER));
    }
    apply(0, rows);

    assertEquals(reservations(rows), keys());
    assertEquals(entries(rows, 1), ledger(first.ledger()));
    assertEquals(entries(rows, 2), ledger(second.ledger()));
  }

  @Test
  default void aStretchBeginsAndEndsAnywhere() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = new ArrayList<>();
    for (int batch = 1; batch <= 60; batch++) {
      List<Row> some = shard.rows("k" + batch, 1 + batch % 7, LATER);
      apply(0, some);
      rows.addAll(some);
    }
    for (int from : new int[] {1, 2, 3, 50, 117, rows.size(), rows.size() + 1}) {
      for (int limit : new int[] {1, 2, 20, 200, 1000}) {
        List<Row> expected = rows.subList(from - 1, Math.min(rows.size(), from - 1 + limit));
        assertEquals(
            entries(expected, 1), store().ledger(shard.ledger(), from, limit), from + "+" + limit);
      }
    }
  }

  @Test
  default void aLedgerIsTrimmedFromItsBeginning() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    LedgerId ledger = shard.ledger();
    List<Row> rows = shard.rows("k", 5, LATER);
    for (Row row : rows) {
      apply(0, List.of(row));
    }
    assertEquals(LedgerHead.EMPTY, store().ledgerStart(ledger));
    assertEquals(0, store().trimLedger(ledger, Instant.EPOCH, 10));

    assertEquals(2, store().trimLedger(ledger, NOW, 2));
    assertEquals(LedgerHead.after(rows.get(1).entry()), store().ledgerStart(ledger));
    assertEquals(entries(rows.subList(2, 5), 1), ledger(ledger));
    assertEquals(
        new LedgerVerdict.Intact(5),
        LedgerVerdict.check(store().ledgerStart(ledger), ledger(ledger)));
    assertEquals(5, keys().size());
  }

  @Test
  default void theNewestPageIsNeverTrimmed() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    for (int batch = 1; batch <= 3; batch++) {
      apply(0, shard.rows("k" + batch, 2, LATER));
    }
    assertEquals(4, store().trimLedger(shard.ledger(), NOW, 10));
    assertEquals(0, store().trimLedger(shard.ledger(), NOW, 10));
    assertEquals(2, ledger(shard.ledger()).size());
  }

  @Test
  default void trimmingOneLedgerLeavesTheOthers() throws MovedException {
    SampleShard trimmed = new SampleShard(1, 0);
    List<SampleShard> others = List.of(new SampleShard(1, 1), new SampleShard(2, 0));
    for (int i = 1; i <= 3; i++) {
      List<Row> rows = new ArrayList<>(List.of(trimmed.row("k" + i, LATER)));
      for (SampleShard other : others) {
        rows.add(other.row("o" + i + "-" + others.indexOf(other), LATER));
      }
      apply(0, rows);
    }
    assertEquals(2, store().trimLedger(trimmed.ledger(), NOW, 10));
    for (SampleShard other : others) {
      assertEquals(3, ledger(other.ledger()).size());
      assertEquals(LedgerHead.EMPTY, store().ledgerStart(other.ledger()));
    }
  }

  @Test
  default void theOldestPageIsToldByItsLastMessage() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    LedgerId ledger = shard.ledger();
    for (int day = 1; day <= 3; day++) {
      Instant made = NOW.minus(Duration.ofDays(4 - day));
      apply(
          0,
          List.of(
              shard.made(made.minusSeconds(1), "j" + day, LATER),
              shard.made(made, "k" + day, LATER)));
    }
    Instant oldest = NOW.minus(Duration.ofDays(3)).truncatedTo(ChronoUnit.MILLIS);
    assertEquals(Optional.of(oldest), store().ledgerOldest(ledger));
    assertEquals(Optional.empty(), store().ledgerOldest(new LedgerId(1, 1)));

    assertEquals(0, store().trimLedger(ledger, oldest, 10));
    assertEquals(2, store().trimLedger(ledger, oldest.plusMillis(1), 10));
    assertEquals(Optional.of(oldest.plus(Duration.ofDays(1))), store().ledgerOldest(ledger));
  }

  @Test
  default void whatTheLedgersTakeIsCountedAsItComesAndGoes() throws MovedException {
    SampleShard first = new SampleShard(1, 0);
    SampleShard second = new SampleShard(2, 3);
    long before = 0;
    for (int batch = 1; batch <= 4; batch++) {
      List<Row> rows = new ArrayList<>(first.rows("a" + batch, 30, LATER));
      rows.addAll(second.rows("b" + batch, 3, LATER));
      apply(batch % 2, rows);
      assertTrue(store().ledgerBytes() >= before + 33 * 80, "the entries of batch " + batch);
      before = store().ledgerBytes();
    }
    long oneBatch = before / 4;
    assertEquals(4 * oneBatch, before, "the same for the same");
    apply(7, List.of());
    store().adopt(adoption(1, 9, 9, 0));
    store().adopt(adoption(8, 9, 9, 0));
    assertEquals(4 * oneBatch, store().ledgerBytes(), "batches without rows take nothing");

    while (store().trimLedger(first.ledger(), NOW, 1) > 0) {
      // One page at a time.
    }
    store().trimLedger(second.ledger(), NOW, 1_000);
    assertEquals(oneBatch, store().ledgerBytes(), "the newest page of each ledger stays");
  }

  /** For a moment two nodes can think that they do what one node does for all. */
  @Test
  default void trimmersAtOnceCountEachEntryOnce() throws Exception {
    SampleShard shard = new SampleShard(1, 0);
    apply(0, shard.rows("first", 3, LATER));
    long onePage = store().ledgerBytes();
    for (int round = 1; round <= 5; round++) {
      for (int batch = 1; batch <= 8; batch++) {
        apply(0, shard.rows("k" + round + batch, 3, LATER));
      }
      List<Integer> removed =
          Together.run(4, () -> store().trimLedger(shard.ledger(), Instant.MAX, 100));
      assertEquals(24, removed.stream().mapToInt(gone -> gone).sum(), removed::toString);
      assertEquals(onePage, store().ledgerBytes());
      LedgerHead start = store().ledgerStart(shard.ledger());
      assertEquals(
          new LedgerVerdict.Intact(start.seq() + 3),
          LedgerVerdict.check(start, ledger(shard.ledger())));
    }
  }

  /** A former owner of a log and its heir have the same batches, and both may write them. */
  @Test
  default void twoProjectorsOfOneLogApplyEachBatchOnce() throws Exception {
    assertEquals(List.of(), TwoProjectors.violationsAtOnce(store()));
  }

  @Test
  default void aProjectorFollowsAnotherThatIsAlwaysABatchAhead() {
    assertEquals(List.of(), TwoProjectors.violationsAlwaysBehind(store()));
  }

  @Test
  default void aFormerOwnerBehindItsHeirWritesNothing() {
    assertEquals(List.of(), TwoProjectors.violationsInTurns(store()));
  }

  /** A former owner that knows less than the database has: it writes nothing, and says so. */
  @Test
  default void aProjectorThatTheDatabaseIsAheadOfChangesNothing() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    List<Batch> batches = new ArrayList<>();
    for (int number = 1; number <= 4; number++) {
      batches.add(SampleBatch.of(0, number, shard.rows("k" + number, 1, LATER)));
    }
    Projector behind = new Projector(store(), new ReservedKeys(store()), System::nanoTime);
    behind.begin(WorkerId.of(0), BatchId.NONE, BatchId.NONE, List.of());
    behind.add(batches.get(0), List.of());
    behind.drain();
    behind.add(batches.get(1), List.of());
    apply(batches.get(1), batches.get(2), batches.get(3));

    Map<IdempotencyKey, Reservation> before = keys();
    behind.drain();
    assertEquals(
        "the database has later batches of 1 workers than this server; restart the server unless"
            + " another one has their logs",
        behind.trouble());
    assertEquals(SampleBatch.id(4), store().applied(WorkerId.of(0)));
    assertEquals(4, ledger(shard.ledger()).size());
    assertEquals(before, keys());
  }

  /** As many that never had a message: one transaction is short all the same. */
  @Test
  default void oneSweepForgetsAFewDeletedTopics() {
    IntStream.rangeClosed(1, 12).forEach(this::deleteTopic);
    assertEquals(10, store().sweepDeleted(10, Set.of()).topics().size());
    assertEquals(2, store().sweepDeleted(10, Set.of()).topics().size());
    assertEquals(Swept.NOTHING, store().sweepDeleted(10, Set.of()));
  }

  @Test
  default void theLedgersOfADeletedTopicGoPieceByPiece() throws MovedException {
    int doomed = 11;
    SampleShard first = new SampleShard(doomed, 0);
    SampleShard second = new SampleShard(doomed, 3);
    Row stays = new SampleShard(12, 0).row("k", LATER);
    apply(0, List.of(first.row("a", LATER), stays));
    for (int batch = 2; batch <= 6; batch++) {
      apply(0, (batch % 2 == 0 ? first : second).rows("k" + batch, 1, LATER));
    }
    assertEquals(Swept.NOTHING, store().sweepDeleted(10, Set.of()));
    long before = store().ledgerBytes();
    deleteTopic(doomed);

    assertEquals(new Swept(4, List.of()), store().sweepDeleted(4, Set.of()));
    assertTrue(store().heads().containsKey(first.ledger()), "not before all of it is gone");
    assertEquals(new Swept(2, List.of(doomed)), store().sweepDeleted(4, Set.of()));
    assertEquals(Swept.NOTHING, store().sweepDeleted(4, Set.of()));
    assertEquals(before / 7, store().ledgerBytes(), "one entry of seven is left");
    assertEquals(Set.of(new LedgerId(12, 0)), store().heads().keySet());
    assertEquals(List.of(), ledger(first.ledger()));
    assertEquals(List.of(), ledger(second.ledger()));
    assertEquals(List.of(stays.entry()), ledger(new LedgerId(12, 0)));
    assertEquals(7, keys().size(), "keys last out their window");
  }

  @Test
  default void manyTopicsAreSweptAndTheirTrimmedLedgersToo() throws MovedException {
    List<Integer> topics = List.of(21, 22, 23, 24, 25);
    for (int topic : topics) {
      SampleShard shard = new SampleShard(topic, 1);
      apply(topic, shard.rows("a", 1, LATER));
      apply(topic, shard.rows("b", 1, LATER));
      assertEquals(1, store().trimLedger(shard.ledger(), NOW, 10));
      deleteTopic(topic);
    }
    List<Integer> gone = new ArrayList<>();
    int batches = 0;
    for (int sweep = 0; sweep < 4; sweep++) {
      Swept swept = store().sweepDeleted(3, Set.of());
      assertTrue(swept.batches() <= 3);
      batches += swept.batches();
      gone.addAll(swept.topics());
    }
    assertEquals(5, batches);
    assertEquals(topics, gone.stream().sorted().toList(), "each is told once");
    assertEquals(Map.of(), store().heads());
    assertEquals(0, store().ledgerBytes());
    for (int topic : topics) {
      assertEquals(LedgerHead.EMPTY, store().ledgerStart(new LedgerId(topic, 1)));
    }
  }

  @Test
  default void aTopicThatIsSparedKeepsItsHeadAndItsEntries() throws MovedException {
    SampleShard spared = new SampleShard(31, 0);
    SampleShard other = new SampleShard(32, 0);
    apply(0, spared.rows("a", 2, LATER));
    apply(0, other.rows("b", 2, LATER));
    deleteTopic(31);
    deleteTopic(32);

    assertEquals(new Swept(1, List.of(32)), store().sweepDeleted(10, Set.of(31, 99)));
    assertEquals(new Swept(0, List.of()), store().sweepDeleted(10, Set.of(31)));
    assertEquals(Set.of(spared.ledger()), store().heads().keySet());
    assertEquals(2, ledger(spared.ledger()).size());

    apply(0, spared.rows("late", 1, LATER));
    assertEquals(new Swept(2, List.of(31)), store().sweepDeleted(10, Set.of()));
    assertEquals(Map.of(), store().heads());
    assertEquals(0, store().ledgerBytes());
  }

  @Test
  default void aTopicWithoutEntriesIsSweptToo() {
    deleteTopic(41);
    assertEquals(new Swept(0, List.of(41)), store().sweepDeleted(10, Set.of()));
    assertEquals(new Swept(0, List.of()), store().sweepDeleted(10, Set.of()));
  }

  @Test
  default void noLedgerGivesANumberThatALostBatchCanHaveGiven() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    apply(0, shard.rows("k", 3, LATER));
    LedgerHead before = requireNonNull(store().heads().get(shard.ledger()));
    store().adopt(adoption(0, 4, 1, 1L << 32));

    assertEquals(SampleBatch.id(4), store().applied(WorkerId.of(0)));
    assertEquals(3 + (1L << 32), store().floor());
    assertEquals(before, store().heads().get(shard.ledger()), "the head itself stays");

    LedgerHead next = new LedgerHead(store().floor(), before.link());
    List<Row> rows = new SampleShard(1, 0, next).rows("next", 2, LATER);
    apply(0, rows);
    assertEquals(entries(rows, 1), store().ledger(shard.ledger(), 4, 10));
    assertEquals(LedgerHead.after(rows.get(1).entry()), store().heads().get(shard.ledger()));
  }

  /**
   * An earlier database, adopted twice, has neither the floor nor the numbers of the first time.
   */
  @Test
  default void anAdoptionSkipsWhatTheLogsTellOf() {
    store().adopt(adoption(0, 7, 5, 100).behind(3_000));
    assertEquals(3_100, store().floor());
  }

  @Test
  default void eachAdoptionSkipsItsOwnNumbers() throws MovedException {
    store().adopt(adoption(7, 2, 0, 1_024));
    assertEquals(List.of(WorkerId.of(7)), store().workers());
    long floor = store().floor();
    assertTrue(floor >= 1_024);
    store().adopt(adoption(8, 1, 0, 512));
    assertTrue(store().floor() >= floor + 512);
    floor = store().floor();
    store().adopt(adoption(8, 1, 0, 512));
    assertTrue(store().floor() >= floor + 512, "also when it is repeated");
    floor = store().floor();
    store().adopt(adoption(9, 1, 0, 0));
    assertEquals(floor, store().floor());

    LedgerHead beyond = new LedgerHead(5 * floor, LedgerHead.EMPTY.link());
    apply(8, new SampleShard(1, 0, beyond).rows("k", 1, LATER));
    store().adopt(adoption(7, 9, 0, 512));
    assertTrue(store().floor() >= 5 * floor + 513, "behind the highest number of any ledger");
  }

  /** Their messages are gone, so a repeated SEND must be a message and no duplicate. */
  @Test
  default void keysOfBatchesThatTheBrokerLostGoAndTheirLedgerStays() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = shard.rows("k", 4, LATER);
    for (Row row : rows) {
      apply(0, List.of(row));
    }
    Row neighbour = new SampleShard(1, 1).row("n", LATER);
    apply(SampleBatch.of(1, 4, List.of(neighbour)));

    for (int repeat = 0; repeat < 2; repeat++) {
      store().adopt(adoption(0, 2, 2, 0));
      List<Row> kept = List.of(rows.get(0), rows.get(1), neighbour);
      assertEquals(reservations(kept), keys());
      assertEquals(entries(rows, 1), ledger(shard.ledger()));
      assertEquals(LedgerHead.after(rows.get(3).entry()), store().heads().get(shard.ledger()));
      assertEquals(SampleBatch.id(2), store().applied(WorkerId.of(0)));
      assertEquals(SampleBatch.id(4), store().applied(WorkerId.of(1)));
      assertEquals(0, store().floor());
    }
    Row again = shard.row("k-3", LATER);
    apply(0, List.of(again));
    assertEquals(again.reservation(), keys().get(again.key()));
  }

  @Test
  default void anotherHistoryCostsAllKeysOfItsWorker() throws MovedException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = shard.rows("k", 4, LATER);
    for (Row row : rows) {
      apply(0, List.of(row));
    }
    Row neighbour = new SampleShard(1, 1).row("n", LATER);
    apply(1, List.of(neighbour));
    BatchId foreign = new BatchId(3, 7);

    for (int repeat = 0; repeat < 2; repeat++) {
      store().adopt(new Adoption(WorkerId.of(0), foreign, 0, 1L << 32));
      assertEquals(reservations(List.of(neighbour)), keys());
      assertEquals(foreign, store().applied(WorkerId.of(0)));
      assertEquals(entries(rows, 1), ledger(shard.ledger()));
      assertTrue(store().floor() >= 4 + (1L << 32));
    }
    assertMoved(0, advance(SampleBatch.id(3), SampleBatch.of(0, 9, List.of())));
    store().apply(List.of(advance(foreign, SampleBatch.of(0, 9, List.of()))));
  }

  private static Adoption adoption(int worker, long last, long keysAfter, long skipped) {
    return new Adoption(WorkerId.of(worker), SampleBatch.id(last), keysAfter, skipped);
  }

  private static Advance advance(BatchId from, Batch... batches) {
    return new Advance(batches[0].worker(), from, List.of(batches));
  }

  private static Map<IdempotencyKey, Reservation> reservations(List<Row> rows) {
    Map<IdempotencyKey, Reservation> map = new HashMap<>();
    rows.forEach(row -> map.put(row.key(), row.reservation()));
    return map;
  }

  private static List<LedgerEntry> entries(List<Row> rows, int topicId) {
    return rows.stream().filter(row -> row.topicId() == topicId).map(Row::entry).toList();
  }
}
