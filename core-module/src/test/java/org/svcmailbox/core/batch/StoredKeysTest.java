package org.svcmailbox.core.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.idempotency.IdempotencyKey;

class StoredKeysTest {
  private static final Instant LATER = Instant.parse("2026-03-01T12:00:00Z");

  private static List<IdempotencyKey> keys(StoredKeys page) {
    List<IdempotencyKey> keys = new ArrayList<>();
    page.forEach(keys::add);
    return keys;
  }

  private static List<Row> withKeys(List<IdempotencyKey> keys) {
    SampleShard shard = new SampleShard(1, 0);
    return keys.stream()
        .map(
            key -> {
              Row row = shard.row("any", LATER);
              return new Row(key, row.reservation(), row.topicId(), row.shard(), row.entry());
            })
        .toList();
  }

  @Test
  void keysOfOneExpiryAreOnePage() {
    List<Row> rows = new SampleShard(1, 0).rows("k", 9, LATER);
    StoredKeys page = StoredKeys.of(rows).get(0);

    assertEquals(1, StoredKeys.of(rows).size());
    assertEquals(LATER.toEpochMilli(), page.expiresAt());
    assertEquals(9, page.size());
    assertEquals(9 * 64, page.entries().length);
  }

  @Test
  void eachExpiryHasItsPage() {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      rows.add(shard.row("k" + i, LATER.plusMillis(i % 2)));
    }
    List<StoredKeys> pages = StoredKeys.of(rows);

    assertEquals(2, pages.size());
    for (int i = 0; i < 6; i++) {
      Row row = rows.get(i);
      assertEquals(row.reservation(), pages.get(i % 2).find(row.key()));
      assertNull(pages.get(1 - i % 2).find(row.key()));
    }
  }

  @Test
  void noRowsAreNoPages() {
    assertEquals(List.of(), StoredKeys.of(List.of()));
    assertNull(new StoredKeys(0, new byte[0]).find(new IdempotencyKey(1, 1)));
  }

  @Test
  void aWindowIsRoundedUpToMilliseconds() {
    Instant inMillis = LATER.plusMillis(1);
    for (Instant exact : List.of(LATER.plusNanos(1), LATER.plusNanos(999_999), inMillis)) {
      Row row = new SampleShard(1, 0).row("k", exact);
      assertEquals(inMillis.toEpochMilli(), StoredKeys.of(List.of(row)).get(0).expiresAt());
    }
  }

  /** All workers take keys in one order, so that of two that want the same ones one gets all. */
  @Test
  void keysAreInOrderWhateverOrderTheyCameIn() {
    List<IdempotencyKey> keys = new ArrayList<>();
    for (long high : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      for (long low : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
        keys.add(new IdempotencyKey(high, low));
      }
    }
    Collections.shuffle(keys, new Random(1));
    List<Row> rows = withKeys(keys);
    StoredKeys page = StoredKeys.of(rows).get(0);

    keys.sort(
        Comparator.comparingLong(IdempotencyKey::high).thenComparingLong(IdempotencyKey::low));
    assertEquals(keys, keys(page));
    for (Row row : rows) {
      assertEquals(row.reservation(), page.find(row.key()));
    }
  }

  @Test
  void everyKeyIsFoundInPagesOfAnySizeAndNoOtherKey() {
    Random random = new Random(1);
    for (int size = 1; size <= Batch.MAX_ROWS; size += 1 + size / 7) {
      List<IdempotencyKey> keys = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        keys.add(new IdempotencyKey(random.nextLong(), random.nextLong()));
      }
      List<Row> rows = withKeys(keys);
      StoredKeys stored = StoredKeys.of(rows).get(0);
      StoredKeys page = new StoredKeys(stored.expiresAt(), stored.entries());
      assertEquals(size, page.size());
      assertTrue(rows.stream().allMatch(row -> row.reservation().equals(page.find(row.key()))));
      for (IdempotencyKey key : keys) {
        assertNull(page.find(new IdempotencyKey(key.high(), key.low() + 1)));
        assertNull(page.find(new IdempotencyKey(key.high() + 1, key.low())));
      }
    }
  }
}
