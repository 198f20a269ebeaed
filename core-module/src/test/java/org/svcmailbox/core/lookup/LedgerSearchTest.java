package org.svcmailbox.core.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.ledger.LedgerEntry;

class LedgerSearchTest {
  private static final Instant BEGIN = Instant.parse("2026-11-20T12:00:00Z");

  private final List<LedgerEntry> entries = new ArrayList<>();
  private int asked;

  private void add(long seq, Instant at) {
    entries.add(new LedgerEntry(seq, MsgId.create(7, at), Digest.ZERO, Digest.ZERO));
  }

  private List<LedgerEntry> from(long from, int limit) {
    asked++;
    return entries.stream().filter(entry -> entry.seq() >= from).limit(limit).toList();
  }

  private Look<LedgerEntry> find(MsgId wanted) {
    long first = entries.isEmpty() ? 1 : entries.get(0).seq();
    long last = entries.isEmpty() ? 0 : entries.get(entries.size() - 1).seq();
    return LedgerSearch.find(this::from, first, last, wanted, () -> false);
  }

  /** A ledger with gaps, whose entries are up to {@code disorder} older than earlier ones. */
  private void fill(Random random, int size, Duration disorder) {
    long seq = 1L + random.nextInt(100);
    Instant latest = BEGIN;
    for (int i = 0; i < size; i++) {
      latest = latest.plusMillis(random.nextInt(random.nextInt(20) == 0 ? 100_000 : 300));
      add(seq, latest.minusMillis(random.nextLong(disorder.toMillis() + 1)));
      seq += random.nextInt(50) == 0 ? 1 + random.nextInt(1_000) : 1;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void itFindsWhatALookAtEveryEntryFinds(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 10; round++) {
      entries.clear();
      fill(random, random.nextInt(6_000), LedgerSearch.DISORDER);
      for (int i = 0; i < 40 && !entries.isEmpty(); i++) {
        LedgerEntry entry = entries.get(random.nextInt(entries.size()));
        assertEquals(Look.of(entry), find(entry.msgId()));
        MsgId other = MsgId.create(7, entry.msgId().createdAt());
        assertEquals(Look.of(null), find(other));
      }
    }
  }

  @Test
  void anIdBeforeOrAfterAllIsInNoLedger() {
    fill(new Random(5), 3_000, LedgerSearch.DISORDER);
    for (Duration by : List.of(Duration.ofDays(-400), Duration.ofDays(400))) {
      assertEquals(Look.of(null), find(MsgId.create(7, BEGIN.plus(by))));
    }
    entries.clear();
    assertEquals(Look.of(null), find(MsgId.create(7, BEGIN)));
  }

  @Test
  void anEntryAsFarOutOfOrderAsAllowedIsFound() {
    for (int i = 1; i <= 5_000; i++) {
      add(i, BEGIN.plusSeconds(i));
    }
    Instant old = entries.get(3_000).msgId().createdAt().minus(LedgerSearch.DISORDER);
    LedgerEntry late = new LedgerEntry(3_002, MsgId.create(7, old), Digest.ZERO, Digest.ZERO);
    entries.set(3_001, late);
    assertEquals(Look.of(late), find(late.msgId()));
  }

  @Test
  void aMillionEntriesTakeFewQuestions() {
    LedgerSearch.Entries ledger =
        (from, limit) -> {
          asked++;
          List<LedgerEntry> some = new ArrayList<>();
          for (long seq = from; seq <= Math.min(1_000_000, from + limit - 1); seq++) {
            MsgId id = MsgId.create(7, BEGIN.plusMillis(seq * 100));
            some.add(new LedgerEntry(seq, id, Digest.ZERO, Digest.ZERO));
          }
          return some;
        };
    MsgId missing = MsgId.create(7, BEGIN.plusMillis(77_777_777));
    assertEquals(Look.of(null), LedgerSearch.find(ledger, 1, 1_000_000, missing, () -> false));
    assertTrue(asked <= 20, () -> asked + " questions");
  }

  @Test
  void aSearchWhoseTimeIsOverIsNotWhole() {
    fill(new Random(6), 3_000, Duration.ZERO);
    MsgId wanted = entries.get(2_000).msgId();
    int[] left = {3};
    Look<LedgerEntry> found =
        LedgerSearch.find(this::from, 1, 1_000_000, wanted, () -> left[0]-- <= 0);
    assertNull(found.seen());
    assertFalse(found.isWhole());
    assertEquals(3, asked);
  }
}
