package org.svcmailbox.core.sendlog;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.SendLog.Adoption;
import org.svcmailbox.core.delivery.SendLog.Batch;
import org.svcmailbox.core.delivery.SendLog.KeyTakenException;
import org.svcmailbox.core.delivery.SendLog.Reserved;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.test.concurrent.Together;

/** What every {@link SendLog} does. Its clock stands at {@link #NOW}. */
public interface SendLogContract {
  /** The time by the clock of the log under test. */
  Instant NOW = Instant.parse("2026-03-01T12:00:00.123Z");

  /** An expiry in the future. */
  Instant LATER = NOW.plus(Duration.ofMinutes(10));

  /** An expiry in the past. */
  Instant EARLIER = NOW.minus(Duration.ofMinutes(10));

  /** The log under test: empty at the start of a test, the same one throughout it. */
  SendLog log();

  private Map<IdempotencyKey, Reservation> found(Collection<IdempotencyKey> keys) {
    return SampleShard.reservations(log().find(keys));
  }

  @Test
  default void anEmptyLogHasNothing() {
    assertEquals(Map.of(), found(List.of(SampleShard.key(1, "k"))));
    assertEquals(Map.of(), found(List.of()));
    assertEquals(0, log().lastBatch(0).last().number());
    assertEquals(List.of(), log().workers());
    assertEquals(LedgerHead.EMPTY, log().ledgerHead(1, 0));
    assertEquals(List.of(), log().ledger(1, 0, 1, 10));
    assertEquals(0, log().countKeys());
  }

  @Test
  default void findReturnsLiveAndExpiredRowsAndNothingElse() throws KeyTakenException {
    SampleShard shard = new SampleShard(1, 0);
    Row live = shard.row("live", LATER);
    Row expired = shard.row("expired", EARLIER);
    Row unasked = shard.row("unasked", LATER);
    log().reserve(SampleBatch.of(0, 1, List.of(live, expired, unasked)));

    assertEquals(
        Map.of(live.key(), live.reservation(), expired.key(), expired.reservation()),
        found(List.of(live.key(), expired.key(), shard.key("unknown"))));
  }

  @Test
  default void findTakesAnyNumberOfKeys() throws KeyTakenException {
    List<Row> rows = new SampleShard(1, 0).rows("k", 512, LATER);
    log().reserve(SampleBatch.of(0, 1, rows));

    for (int count : new int[] {1, 2, 7, 16, 17, 100, 511, 512}) {
      List<Row> some = rows.subList(0, count);
      assertEquals(reservations(some), found(keys(some)), count + " keys");
    }
    List<IdempotencyKey> many = new ArrayList<>(keys(rows));
    for (int i = 0; i < 700; i++) {
      many.add(SampleShard.key(2, "unknown-" + i));
    }
    assertEquals(reservations(rows), found(many));
  }

  @Test
  default void findToleratesAKeyAskedForTwice() throws KeyTakenException {
    Row row = new SampleShard(1, 0).row("k", LATER);
    log().reserve(SampleBatch.of(0, 1, List.of(row)));

    assertEquals(reservations(List.of(row)), found(List.of(row.key(), row.key())));
  }

  @Test
  default void keysOfDifferentTopicsAreDifferentWhateverTheirText() throws KeyTakenException {
    String text = "ключ-鍵-🔑-" + "ß".repeat(200);
    Row inOne = new SampleShard(1, 0).row(text, LATER);
    Row inTwo = new SampleShard(2, 0).row(text, LATER);
    assertNotEquals(inOne.key(), inTwo.key());
    log().reserve(SampleBatch.of(0, 1, List.of(inOne)));
    assertEquals(Map.of(), found(List.of(inTwo.key())));
    log().reserve(SampleBatch.of(0, 2, List.of(inTwo)));

    List<Row> both = List.of(inOne, inTwo);
    assertEquals(reservations(both), found(keys(both)));
  }

  @Test
  default void keysWithEveryKindOfBitsAreFound() throws KeyTakenException {
    Row sample = new SampleShard(1, 0).row("k", LATER);
    LedgerHead head = LedgerHead.EMPTY;
    List<Row> rows = new ArrayList<>();
    for (long high : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      for (long low : new long[] {0, -1, Long.MIN_VALUE}) {
        LedgerEntry entry = head.append(sample.reservation().msgId(), sample.entry().hashChain());
        head = LedgerHead.after(entry);
        IdempotencyKey key = new IdempotencyKey(high, low);
        rows.add(new Row(key, sample.reservation(), false, 1, 0, entry));
      }
    }
    log().reserve(SampleBatch.of(0, 1, rows));

    assertEquals(reservations(rows), found(keys(rows)));
  }

  @Test
  default void theWindowIsNeverShortenedByRounding() throws KeyTakenException {
    Instant exact = NOW.plusNanos(1_000_001);
    Row row = new SampleShard(1, 0).row("k", exact);
    log().reserve(SampleBatch.of(0, 1, List.of(row)));

    Map<IdempotencyKey, Reservation> found = found(List.of(row.key()));
    assertEquals(1, found.size());
    Instant stored = found.values().iterator().next().expiresAt();
    assertFalse(stored.isBefore(exact));
    assertTrue(stored.isBefore(exact.plusMillis(1)));
  }

  @Test
  default void aBatchIsWrittenWhole() throws KeyTakenException {
    SampleShard first = new SampleShard(1, 0);
    SampleShard second = new SampleShard(2, 3);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 256; i++) {
      rows.add(first.row("k" + i, LATER));
      rows.add(second.row("k" + i, LATER));
    }
    log().reserve(SampleBatch.of(0, 1, rows));

    assertEquals(reservations(rows), found(keys(rows)));
    assertEquals(512, log().countKeys());
    assertEquals(entries(rows, 1), log().ledger(1, 0, 1, 1_000));
    assertEquals(entries(rows, 2), log().ledger(2, 3, 1, 1_000));
    assertEquals(1, log().lastBatch(0).last().number());
  }

  @Test
  default void aBatchWithoutRowsStillCounts() throws KeyTakenException {
    log().reserve(SampleBatch.of(5, 1, List.of()));
    assertEquals(1, log().lastBatch(5).last().number());
    log().withdraw(5, 1);
    assertEquals(1, log().lastBatch(5).last().number());
  }

  @Test
  default void aTakenKeyWritesNothingOfItsBatch() throws KeyTakenException {
    Row taken = new SampleShard(1, 0).row("taken", LATER);
    log().reserve(SampleBatch.of(0, 1, List.of(taken)));

    SampleShard other = new SampleShard(1, 1);
    List<Row> rows = new ArrayList<>(other.rows("before", 20, LATER));
    rows.add(other.row("taken", LATER));
    rows.addAll(other.rows("after", 20, LATER));
    assertThrows(KeyTakenException.class, () -> log().reserve(SampleBatch.of(1, 1, rows)));

    assertEquals(reservations(List.of(taken)), found(keys(rows)));
    assertEquals(1, log().countKeys());
    assertEquals(LedgerHead.EMPTY, log().ledgerHead(1, 1));
    assertEquals(0, log().lastBatch(1).last().number());
    assertEquals(List.of(0), log().workers());
  }

  @Test
  default void aTakenKeyLeavesTheBatchBeforeItOpenToWithdrawal() throws KeyTakenException {
    Row first = new SampleShard(1, 0).row("first", LATER);
    log().reserve(SampleBatch.of(0, 1, List.of(first)));
    Row again = new SampleShard(1, 1).row("first", LATER);
    assertThrows(
        KeyTakenException.class, () -> log().reserve(SampleBatch.of(0, 2, List.of(again))));

    assertEquals(1, log().lastBatch(0).last().number());
    log().withdraw(0, 1);
    assertEquals(0, log().countKeys());
  }

  @Test
  default void aKeyTwiceInOneBatchIsTaken() {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = List.of(shard.row("k", LATER), shard.row("k", LATER));
    assertThrows(KeyTakenException.class, () -> log().reserve(SampleBatch.of(0, 1, rows)));
    assertEquals(0, log().countKeys());
  }

  @Test
  default void anExpiredRowThatIsNotAnnouncedIsTaken() throws KeyTakenException {
    SampleShard shard = new SampleShard(1, 0);
    Row expired = shard.row("k", EARLIER);
    log().reserve(SampleBatch.of(0, 1, List.of(expired)));

    Row fresh = shard.row("k", LATER);
    assertThrows(
        KeyTakenException.class, () -> log().reserve(SampleBatch.of(0, 2, List.of(fresh))));
    assertEquals(reservations(List.of(expired)), found(List.of(expired.key())));
  }

  @Test
  default void anAnnouncedExpiredRowIsReplaced() throws KeyTakenException {
    SampleShard shard = new SampleShard(1, 0);
    log().reserve(SampleBatch.of(0, 1, List.of(shard.row("k", EARLIER), shard.row("now", NOW))));

    Row fresh = shard.replacing("k", LATER);
    Row freshNow = shard.replacing("now", LATER);
    Row other = shard.row("other", LATER);
    log().reserve(SampleBatch.of(0, 2, List.of(fresh, freshNow, other)));

    List<Row> rows = List.of(fresh, freshNow, other);
    assertEquals(reservations(rows), found(keys(rows)));
    assertEquals(3, log().countKeys());
    assertEquals(5, log().ledgerHead(1, 0).seq());
  }

  @Test
  default void anAnnouncedRowThatWasPurgedMeanwhileIsNoError() throws KeyTakenException {
    SampleShard shard = new SampleShard(1, 0);
    log().reserve(SampleBatch.of(0, 1, List.of(shard.row("k", EARLIER))));
    assertEquals(1, log().purgeExpired(NOW, 10));

    Row fresh = shard.replacing("k", LATER);
    log().reserve(SampleBatch.of(0, 2, List.of(fresh)));
    assertEquals(reservations(List.of(fresh)), found(List.of(fresh.key())));
  }

  @Test
  default void anAnnouncedRowThatIsLiveAgainIsTaken() throws KeyTakenException {
    log().reserve(SampleBatch.of(0, 1, List.of(new SampleShard(1, 0).row("k", EARLIER))));
    Row winner = new SampleShard(1, 1).replacing("k", LATER);
    log().reserve(SampleBatch.of(1, 1, List.of(winner)));

    Row loser = new SampleShard(1, 2).replacing("k", LATER.plusSeconds(1));
    assertThrows(
        KeyTakenException.class, () -> log().reserve(SampleBatch.of(2, 1, List.of(loser))));
    assertEquals(reservations(List.of(winner)), found(List.of(winner.key())));
    assertEquals(LedgerHead.EMPTY, log().ledgerHead(1, 2));
  }

  @Test
  default void aKeyIsUnconfirmedUntilItsOwnBatchIsConfirmed() throws KeyTakenException {
    Row row = new SampleShard(1, 0).row("k", LATER);
    log().reserve(SampleBatch.of(0, 1, List.of(row)));
    assertFalse(isConfirmed(row));

    log().confirm(0, 2);
    log().confirm(1, 1);
    assertFalse(isConfirmed(row), "by another batch, or another worker");

    log().confirm(0, 1);
    assertTrue(isConfirmed(row));
    log().reserve(SampleBatch.of(0, 2, List.of()));
    assertTrue(isConfirmed(row), "after the next batch");
  }

  @Test
  default void aWorkerThatFindsAKeyTakenLeavesItsState() throws KeyTakenException {
    Row winner = new SampleShard(1, 0).row("k", LATER);
    Row loser = new SampleShard(1, 1).row("k", LATER);
    log().reserve(SampleBatch.of(0, 1, List.of(winner)));

    assertThrows(
        KeyTakenException.class, () -> log().reserve(SampleBatch.of(1, 1, List.of(loser))));
    log().confirm(1, 1);
    assertFalse(isConfirmed(winner));
    assertEquals(reservations(List.of(winner)), found(List.of(winner.key())));
  }

  @Test
  default void aKeyThatWasWithdrawnIsUnconfirmedWhenItIsTakenAgain() throws KeyTakenException {
    Row row = new SampleShard(1, 0).row("k", LATER);
    log().reserve(SampleBatch.of(0, 1, List.of(row)));
    log().confirm(0, 1);
    log().withdraw(0, 1);
    log().reserve(SampleBatch.of(1, 1, List.of(row)));

    log().confirm(0, 1);
    assertFalse(isConfirmed(row));
  }

  @Test
  default void aKeyThatReplacesAnExpiredOneIsUnconfirmed() throws KeyTakenException {
    Row expired = new SampleShard(1, 0).row("k", EARLIER);
    log().reserve(SampleBatch.of(0, 1, List.of(expired)));
    Row heir = new SampleShard(1, 1).replacing("k", LATER);
    log().reserve(SampleBatch.of(1, 1, List.of(heir)));

    log().confirm(0, 1);
    assertFalse(isConfirmed(heir));
    log().confirm(1, 1);
    assertTrue(isConfirmed(heir));
  }

  private boolean isConfirmed(Row row) {
    return requireNonNull(log().find(List.of(row.key())).get(row.key())).isConfirmed();
  }

  @Test
  default void oneOfManyWorkersGetsAKey() throws Exception {
    int workers = 4;
    int rounds = 10;
    for (int round = 1; round <= rounds; round++) {
      String key = "contended-" + round;
      List<Callable<Boolean>> attempts = new ArrayList<>();
      for (int worker = 0; worker < workers; worker++) {
        Row row = new SampleShard(1, worker, log().ledgerHead(1, worker)).row(key, LATER);
        Batch batch = SampleBatch.of(worker, round, List.of(row));
        attempts.add(() -> isReserved(batch));
      }
      assertEquals(1, Together.run(attempts).stream().filter(won -> won).count(), key);
      assertEquals(round, log().countKeys());
    }
  }

  @Test
  default void manyWorkersWithCrossingKeysAllEnd() throws Exception {
    int workers = 4;
    List<Callable<Boolean>> attempts = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      List<Row> rows = new ArrayList<>();
      SampleShard shard = new SampleShard(1, worker);
      for (int i = 0; i < 50; i++) {
        int key = worker % 2 == 0 ? i : 49 - i;
        rows.add(shard.row("crossing-" + key, LATER));
      }
      Batch batch = SampleBatch.of(worker, 1, rows);
      attempts.add(() -> isReserved(batch));
    }
    assertEquals(1, Together.run(attempts).stream().filter(won -> won).count());
    assertEquals(50, log().countKeys());
  }

  @Test
  default void aLedgerPlaceThatIsOccupiedRefusesTheBatch() throws KeyTakenException {
    Row first = new SampleShard(1, 0).row("first", LATER);
    log().reserve(SampleBatch.of(0, 1, List.of(first)));

    Row second = new SampleShard(1, 0).row("second", LATER);
    assertThrows(
        UnavailableException.class, () -> log().reserve(SampleBatch.of(1, 1, List.of(second))));
    assertEquals(List.of(first.entry()), log().ledger(1, 0, 1, 10));
    assertEquals(1, log().countKeys());
    assertEquals(0, log().lastBatch(1).last().number());
  }

  @Test
  default void aLedgerIsTrimmedFromItsBeginning() throws KeyTakenException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = shard.rows("k", 5, LATER);
    for (int i = 0; i < rows.size(); i++) {
      log().reserve(SampleBatch.of(0, i + 1, rows.subList(i, i + 1)));
    }
    assertEquals(LedgerHead.EMPTY, log().ledgerStart(1, 0));
    assertEquals(0, log().trimLedger(1, 0, Instant.EPOCH, 10));

    assertEquals(2, log().trimLedger(1, 0, NOW, 2));
    assertEquals(LedgerHead.after(rows.get(1).entry()), log().ledgerStart(1, 0));
    assertEquals(entries(rows.subList(2, 5), 1), log().ledger(1, 0, 1, 10));
    assertEquals(
        new LedgerVerdict.Intact(5),
        LedgerVerdict.check(log().ledgerStart(1, 0), log().ledger(1, 0, 1, 10)));
    assertEquals(5, log().countKeys());
  }

  @Test
  default void theNewestBatchIsNeverTrimmed() throws KeyTakenException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = shard.rows("k", 3, LATER);
    for (int i = 0; i < rows.size(); i++) {
      log().reserve(SampleBatch.of(0, i + 1, rows.subList(i, i + 1)));
    }
    assertEquals(2, log().trimLedger(1, 0, NOW, 10));
    assertEquals(0, log().trimLedger(1, 0, NOW, 10));

    LedgerHead head = LedgerHead.after(rows.get(2).entry());
    assertEquals(head, log().ledgerHead(1, 0));
    log().withdraw(0, 3);
    assertEquals(2, log().countKeys());
  }

  @Test
  default void trimmingOneLedgerLeavesTheOthers() throws KeyTakenException {
    SampleShard trimmed = new SampleShard(1, 0);
    List<SampleShard> others = List.of(new SampleShard(1, 1), new SampleShard(2, 0));
    for (int i = 1; i <= 3; i++) {
      List<Row> rows = new ArrayList<>(List.of(trimmed.row("k" + i, LATER)));
      for (SampleShard other : others) {
        rows.add(other.row("o" + i + "-" + others.indexOf(other), LATER));
      }
      log().reserve(SampleBatch.of(0, i, rows));
    }
    assertEquals(2, log().trimLedger(1, 0, NOW, 10));
    assertEquals(3, log().ledger(1, 1, 1, 10).size());
    assertEquals(3, log().ledger(2, 0, 1, 10).size());
    assertEquals(LedgerHead.EMPTY, log().ledgerStart(1, 1));
  }

  @Test
  default void theOldestBatchIsToldByItsLastMessage() throws KeyTakenException {
    assertEquals(Optional.empty(), log().ledgerOldest(1, 0));
    SampleShard shard = new SampleShard(1, 0);
    for (int day = 1; day <= 3; day++) {
      Instant made = NOW.minus(Duration.ofDays(4 - day));
      log().reserve(SampleBatch.of(0, day, List.of(shard.made(made, "k" + day, LATER))));
    }
    Instant oldest = NOW.minus(Duration.ofDays(3)).truncatedTo(ChronoUnit.MILLIS);
    assertEquals(Optional.of(oldest), log().ledgerOldest(1, 0));
    assertEquals(Optional.empty(), log().ledgerOldest(1, 1));

    assertEquals(0, log().trimLedger(1, 0, oldest, 10));
    assertEquals(1, log().trimLedger(1, 0, oldest.plusMillis(1), 10));
    assertEquals(Optional.of(oldest.plus(Duration.ofDays(1))), log().ledgerOldest(1, 0));
  }

  @Test
  default void whatTheLedgersTakeIsCountedAsItComesAndGoes() throws KeyTakenException {
    assertEquals(0, log().ledgerBytes());
    SampleShard first = new SampleShard(1, 0);
    SampleShard second = new SampleShard(2, 3);
    long before = 0;
    for (int batch = 1; batch <= 5; batch++) {
      List<Row> rows = new ArrayList<>(first.rows("a" + batch, 30, LATER));
      rows.addAll(second.rows("b" + batch, 3, LATER));
      log().reserve(SampleBatch.of(batch % 2, batch, rows));
      assertTrue(log().ledgerBytes() >= before + 33 * 80, "the entries of batch " + batch);
      before = log().ledgerBytes();
    }
    long oneBatch = before / 5;
    assertEquals(5 * oneBatch, before, "the same for the same");

    log().withdraw(1, 5);
    assertEquals(4 * oneBatch, log().ledgerBytes());
    log().withdraw(1, 5);
    assertEquals(4 * oneBatch, log().ledgerBytes());
    assertThrows(
        KeyTakenException.class,
        () -> log().reserve(SampleBatch.of(1, 6, first.rows("a1", 1, LATER))));
    assertEquals(4 * oneBatch, log().ledgerBytes());
    log().adopt(new Adoption(1, SampleBatch.id(9), 9, 0));
    log().adopt(new Adoption(7, SampleBatch.id(9), 9, 0));
    assertEquals(4 * oneBatch, log().ledgerBytes(), "batches without rows take nothing");

    while (log().trimLedger(1, 0, NOW, 1) > 0) {
      // One batch at a time.
    }
    log().trimLedger(2, 3, NOW, 1_000);
    // The newest batch of each ledger stays.
    assertTrue(log().ledgerBytes() <= oneBatch, () -> log().ledgerBytes() + " bytes");
    assertTrue(log().ledgerBytes() > 0);
  }

  @Test
  default void aStretchBeginsAndEndsAnywhere() throws KeyTakenException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = new ArrayList<>();
    for (int batch = 1; batch <= 60; batch++) {
      List<Row> some = shard.rows("k" + batch, 1 + batch % 7, LATER);
      log().reserve(SampleBatch.of(0, batch, some));
      rows.addAll(some);
    }
    for (int from : new int[] {1, 2, 3, 50, 117, rows.size(), rows.size() + 1}) {
      for (int limit : new int[] {1, 2, 20, 200, 1000}) {
        List<Row> expected = rows.subList(from - 1, Math.min(rows.size(), from - 1 + limit));
        assertEquals(entries(expected, 1), log().ledger(1, 0, from, limit), from + "+" + limit);
      }
    }
  }

  @Test
  default void batchNumbersArePerWorker() throws KeyTakenException {
    log().reserve(SampleBatch.of(7, 1, List.of(new SampleShard(1, 0).row("a", LATER))));
    log().reserve(SampleBatch.of(3, 41, List.of(new SampleShard(1, 1).row("b", LATER))));
    log().reserve(SampleBatch.of(3, 42, List.of(new SampleShard(1, 2).row("c", LATER))));

    assertEquals(1, log().lastBatch(7).last().number());
    assertEquals(42, log().lastBatch(3).last().number());
    assertEquals(0, log().lastBatch(0).last().number());
    assertEquals(List.of(3, 7), log().workers().stream().sorted().toList());
  }

  @Test
  default void aBatchNumberThatDoesNotRiseIsRefused() throws KeyTakenException {
    SampleShard shard = new SampleShard(1, 0);
    log().reserve(SampleBatch.of(0, 2, List.of(shard.row("a", LATER))));
    Row next = shard.row("b", LATER);
    for (long number : new long[] {1, 2}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> log().reserve(SampleBatch.of(0, number, List.of(next))));
    }
    assertEquals(1, log().countKeys());
    assertEquals(2, log().lastBatch(0).last().number());
    assertEquals(1, log().ledgerHead(1, 0).seq());
  }

  @Test
  default void withdrawRemovesExactlyTheRowsOfTheLastBatch() throws KeyTakenException {
    SampleShard one = new SampleShard(1, 0);
    SampleShard two = new SampleShard(2, 3);
    List<Row> confirmed = List.of(one.row("a", LATER), two.row("b", LATER));
    log().reserve(SampleBatch.of(0, 1, confirmed));
    Row neighbour = new SampleShard(1, 1).row("c", LATER);
    log().reserve(SampleBatch.of(1, 2, List.of(neighbour)));
    List<Row> doubtful =
        List.of(
            one.row("d", LATER),
            two.row("e", LATER),
            one.row("f", LATER),
            new SampleShard(3, 0).row("g", LATER));
    log().reserve(SampleBatch.of(0, 2, doubtful));

    log().withdraw(0, 2);

    List<Row> left = List.of(confirmed.get(0), confirmed.get(1), neighbour);
    assertEquals(Map.of(), found(keys(doubtful)));
    assertEquals(reservations(left), found(keys(left)));
    assertEquals(3, log().countKeys());
    assertEquals(entries(confirmed, 1), log().ledger(1, 0, 1, 10));
    assertEquals(entries(confirmed, 2), log().ledger(2, 3, 1, 10));
    assertEquals(entries(List.of(neighbour), 1), log().ledger(1, 1, 1, 10));
    assertEquals(LedgerHead.EMPTY, log().ledgerHead(3, 0));
  }

  @Test
  default void withdrawingTwiceIsHarmless() throws KeyTakenException {
    Row first = new SampleShard(1, 0).row("a", LATER);
    log().reserve(SampleBatch.of(0, 1, List.of(first)));
    log().withdraw(0, 1);
    Row other = new SampleShard(1, 0).row("a", LATER);
    log().reserve(SampleBatch.of(1, 1, List.of(other)));

    log().withdraw(0, 1);

    assertEquals(reservations(List.of(other)), found(List.of(other.key())));
    assertEquals(List.of(other.entry()), log().ledger(1, 0, 1, 10));
    assertEquals(1, log().lastBatch(0).last().number());
  }

  @Test
  default void withdrawOfAnyOtherNumberDoesNothing() throws KeyTakenException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = shard.rows("k", 4, LATER);
    log().reserve(SampleBatch.of(0, 1, rows.subList(0, 2)));
    log().reserve(SampleBatch.of(0, 2, rows.subList(2, 4)));

    log().withdraw(0, 1);
    log().withdraw(0, 3);
    log().withdraw(1, 2);

    assertEquals(reservations(rows), found(keys(rows)));
    assertEquals(entries(rows, 1), log().ledger(1, 0, 1, 10));
    assertEquals(List.of(0), log().workers());
  }

  @Test
  default void afterAWithdrawTheSamePlacesCanBeReservedAgain() throws KeyTakenException {
    SampleShard shard = new SampleShard(1, 0);
    Row confirmed = shard.row("a", LATER);
    log().reserve(SampleBatch.of(0, 1, List.of(confirmed)));
    log().reserve(SampleBatch.of(0, 2, shard.rows("k", 3, LATER)));
    log().withdraw(0, 2);

    LedgerHead head = log().ledgerHead(1, 0);
    assertEquals(LedgerHead.after(confirmed.entry()), head);
    List<Row> again = new SampleShard(1, 0, head).rows("k", 3, LATER);
    log().reserve(SampleBatch.of(0, 3, again));

    assertEquals(reservations(again), found(keys(again)));
    assertEquals(
        new LedgerVerdict.Intact(4),
        LedgerVerdict.check(LedgerHead.EMPTY, log().ledger(1, 0, 1, 10)));
  }

  @Test
  default void withdrawLeavesAKeyThatHasPassedToAnotherMessage() throws KeyTakenException {
    Row shortLived = new SampleShard(1, 0).row("k", EARLIER);
    log().reserve(SampleBatch.of(0, 1, List.of(shortLived)));
    Row heir = new SampleShard(1, 1).replacing("k", LATER);
    log().reserve(SampleBatch.of(1, 1, List.of(heir)));

    log().withdraw(0, 1);

    assertEquals(reservations(List.of(heir)), found(List.of(heir.key())));
    assertEquals(LedgerHead.EMPTY, log().ledgerHead(1, 0));
    assertEquals(List.of(heir.entry()), log().ledger(1, 1, 1, 10));
  }

  @Test
  default void theLargestBatchCanBeWithdrawn() throws KeyTakenException {
    List<Row> rows = new ArrayList<>();
    for (int shard = 0; shard < 256; shard++) {
      SampleShard sample = new SampleShard(1, shard);
      rows.add(sample.row("a" + shard, LATER));
      rows.add(sample.row("b" + shard, LATER));
    }
    log().reserve(SampleBatch.of(0, 1, rows));
    log().withdraw(0, 1);

    assertEquals(0, log().countKeys());
    for (int shard = 0; shard < 256; shard++) {
      assertEquals(LedgerHead.EMPTY, log().ledgerHead(1, shard));
    }
  }

  @Test
  default void theHeadIsTheLastEntryOfItsShardOnly() throws KeyTakenException {
    SampleShard shard = new SampleShard(1, 1);
    List<Row> rows = shard.rows("k", 12, LATER);
    log().reserve(SampleBatch.of(0, 1, rows));
    log().reserve(SampleBatch.of(0, 2, new SampleShard(1, 2).rows("l", 30, LATER)));
    log().reserve(SampleBatch.of(0, 3, new SampleShard(2, 1).rows("m", 30, LATER)));

    assertEquals(LedgerHead.after(rows.get(11).entry()), log().ledgerHead(1, 1));
    assertEquals(LedgerHead.EMPTY, log().ledgerHead(1, 0));
    assertEquals(30, log().ledgerHead(1, 2).seq());
  }

  @Test
  default void theLedgerIsReadInStretches() throws KeyTakenException {
    List<Row> rows = new SampleShard(1, 1).rows("k", 25, LATER);
    log().reserve(SampleBatch.of(0, 1, rows));
    log().reserve(SampleBatch.of(0, 2, new SampleShard(1, 2).rows("l", 5, LATER)));
    List<LedgerEntry> all = entries(rows, 1);

    assertEquals(all.subList(0, 10), log().ledger(1, 1, 1, 10));
    assertEquals(all.subList(10, 20), log().ledger(1, 1, 11, 10));
    assertEquals(all.subList(20, 25), log().ledger(1, 1, 21, 10));
    assertEquals(List.of(), log().ledger(1, 1, 26, 10));
    assertEquals(
        new LedgerVerdict.Intact(25),
        LedgerVerdict.check(LedgerHead.EMPTY, log().ledger(1, 1, 1, 100)));
  }

  @Test
  default void purgeTakesAtMostItsLimitAndOnlyWhatExpired() throws KeyTakenException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> expired = new ArrayList<>();
    List<Row> live = shard.rows("new", 5, NOW.plusMillis(1));
    for (int batch = 1; batch <= 5; batch++) {
      List<Row> together = shard.rows("old-" + batch, 5, NOW.minusMillis(6 - batch));
      log().reserve(SampleBatch.of(0, batch, together));
      expired.addAll(together);
    }
    log().reserve(SampleBatch.of(0, 6, live));

    assertEquals(10, log().purgeExpired(NOW, 10));
    assertEquals(20, log().countKeys());
    assertEquals(10, log().purgeExpired(NOW, 10));
    assertEquals(5, log().purgeExpired(NOW, 10));
    assertEquals(0, log().purgeExpired(NOW, 10));
    assertEquals(Map.of(), found(keys(expired)));
    assertEquals(reservations(live), found(keys(live)));
  }

  @Test
  default void whatWasTakenInASecondIsPurgedInAsManyTransactionsAsItNeeds()
      throws KeyTakenException {
    Purge purge = new Purge(() -> 0, Duration.ofSeconds(1));
    SampleShard shard = new SampleShard(1, 0);
    int batch = 0;
    for (int second = 0; second < 3; second++) {
      for (int i = 0; i < 100; i++) {
        Instant expiry = NOW.plusSeconds(second).plusMillis(10L * i);
        log().reserve(SampleBatch.of(0, ++batch, shard.rows("k" + batch, 37, expiry)));
      }
      Instant now = NOW.plusSeconds(second + 1L);
      assertEquals(3_700, purge.run(() -> log().purgeExpired(now, 1_000)));
      assertEquals(0, log().countKeys());
    }
  }

  @Test
  default void purgeLeavesTheLedger() throws KeyTakenException {
    List<Row> rows = new SampleShard(1, 0).rows("k", 3, EARLIER);
    log().reserve(SampleBatch.of(0, 1, rows));
    log().purgeExpired(NOW, 10);

    assertEquals(entries(rows, 1), log().ledger(1, 0, 1, 10));
    assertEquals(1, log().lastBatch(0).last().number());
  }

  @Test
  default void aPurgedBatchCanStillBeWithdrawn() throws KeyTakenException {
    log().reserve(SampleBatch.of(0, 1, new SampleShard(1, 0).rows("k", 3, EARLIER)));
    log().purgeExpired(NOW, 2);
    log().withdraw(0, 1);

    assertEquals(0, log().countKeys());
    assertEquals(LedgerHead.EMPTY, log().ledgerHead(1, 0));
  }

  @Test
  default void aBatchIsConfirmedByTheNextUnlessItWasWithdrawn() throws KeyTakenException {
    SampleShard shard = new SampleShard(1, 0);
    log().reserve(SampleBatch.of(0, 1, List.of(shard.row("a", LATER))));
    assertEquals(0, log().lastBatch(0).confirmed().number());
    log().reserve(SampleBatch.of(0, 2, List.of(shard.row("b", LATER))));
    assertEquals(1, log().lastBatch(0).confirmed().number());
    log().withdraw(0, 2);
    log().reserve(SampleBatch.of(0, 3, List.of(shard.row("c", LATER))));
    assertEquals(1, log().lastBatch(0).confirmed().number());
    log().reserve(SampleBatch.of(0, 4, List.of(shard.row("d", LATER))));
    assertEquals(3, log().lastBatch(0).confirmed().number());
    assertEquals(0, log().lastBatch(1).confirmed().number());
  }

  @Test
  default void noLedgerGivesANumberThatALostBatchCanHaveGiven() throws KeyTakenException {
    log().reserve(SampleBatch.of(0, 1, new SampleShard(1, 0).rows("k", 3, LATER)));
    LedgerHead before = log().ledgerHead(1, 0);
    log().adopt(new Adoption(0, SampleBatch.id(4), 1, 3 * Batch.MAX_ROWS));

    assertEquals(4, log().lastBatch(0).last().number());
    assertEquals(4, log().lastBatch(0).confirmed().number());
    LedgerHead after = log().ledgerHead(1, 0);
    assertEquals(before.link(), after.link());
    assertTrue(after.seq() >= 3 + 3 * Batch.MAX_ROWS, "goes on after " + after.seq());
    assertEquals(new LedgerHead(after.seq(), Digest.ZERO), log().ledgerHead(2, 5));

    Row next = new SampleShard(1, 0, after).row("next", LATER);
    log().reserve(SampleBatch.of(0, 5, List.of(next)));
    assertEquals(List.of(next.entry()), log().ledger(1, 0, 4, 10));
    assertEquals(LedgerHead.after(next.entry()), log().ledgerHead(1, 0));
  }

  @Test
  default void eachAdoptionSkipsItsOwnNumbers() {
    log().adopt(new Adoption(7, SampleBatch.id(2), 0, 1_024));
    assertEquals(List.of(7), log().workers());
    LedgerHead head = log().ledgerHead(1, 0);
    log().adopt(new Adoption(8, SampleBatch.id(1), 0, 512));
    assertTrue(log().ledgerHead(1, 0).seq() >= head.seq() + 512);
  }

  /** Their messages are gone, so a repeated SEND must be a message and no duplicate. */
  @Test
  default void keysOfBatchesThatTheBrokerLostGoAndTheirLedgerStays() throws KeyTakenException {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = new ArrayList<>();
    for (int number = 1; number <= 4; number++) {
      Row row = shard.row("k" + number, LATER);
      log().reserve(SampleBatch.of(0, number, List.of(row)));
      rows.add(row);
    }
    Row neighbour = new SampleShard(1, 1).row("n", LATER);
    log().reserve(SampleBatch.of(1, 4, List.of(neighbour)));

    log().adopt(new Adoption(0, SampleBatch.id(2), 2, 0));

    List<Row> kept = List.of(rows.get(0), rows.get(1), neighbour);
    List<Row> all = new ArrayList<>(rows);
    all.add(neighbour);
    assertEquals(reservations(kept), found(keys(all)));
    assertEquals(3, log().countKeys());
    assertEquals(entries(rows, 1), log().ledger(1, 0, 1, 10));
    assertEquals(new Reserved(SampleBatch.id(4), SampleBatch.id(2)), log().lastBatch(0));
    log().withdraw(0, 4);
    assertEquals(entries(rows, 1), log().ledger(1, 0, 1, 10), "nothing is left to withdraw");
    log().reserve(SampleBatch.of(0, 5, List.of(shard.row("k4", LATER))));
    assertEquals(SampleBatch.id(2), log().lastBatch(0).confirmed(), "4 was never confirmed");
  }

  @Test
  default void aBatchIsKnownByItsStampToo() throws KeyTakenException {
    SampleShard shard = new SampleShard(1, 0);
    BatchId first = new BatchId(1, Long.MIN_VALUE);
    BatchId second = new BatchId(2, Long.MAX_VALUE);
    log().reserve(new Batch(0, first, List.of(shard.row("a", LATER))));
    assertEquals(new Reserved(first, BatchId.NONE), log().lastBatch(0));
    log().reserve(new Batch(0, second, List.of(shard.row("b", LATER))));
    assertEquals(new Reserved(second, first), log().lastBatch(0));
    BatchId foreign = new BatchId(2, 7);
    log().adopt(new Adoption(0, foreign, 0, 1));
    assertEquals(new Reserved(second, foreign), log().lastBatch(0));
    BatchId ahead = new BatchId(9, 7);
    log().adopt(new Adoption(0, ahead, 9, 1));
    assertEquals(new Reserved(ahead, ahead), log().lastBatch(0));
  }

  private boolean isReserved(Batch batch) {
    try {
      log().reserve(batch);
      return true;
    } catch (KeyTakenException e) {
      return false;
    }
  }

  private static List<IdempotencyKey> keys(List<Row> rows) {
    return rows.stream().map(Row::key).toList();
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
