package org.svcmailbox.core.batch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchPagesTest {
  private static final Instant LATER = Instant.parse("2026-03-01T12:00:00Z");

  /** From this size on the broker stores a message as a large one, apart. */
  private static final int LARGE = 100 * 1024;

  private static void assertSame(BatchPages expected, BatchPages actual) {
    assertEquals(expected.keys().size(), actual.keys().size());
    for (int i = 0; i < expected.keys().size(); i++) {
      assertEquals(expected.keys().get(i).expiresAt(), actual.keys().get(i).expiresAt());
      assertArrayEquals(expected.keys().get(i).entries(), actual.keys().get(i).entries());
    }
    assertEquals(expected.ledgers().size(), actual.ledgers().size());
    for (int i = 0; i < expected.ledgers().size(); i++) {
      LedgerPage page = expected.ledgers().get(i);
      assertEquals(page.ledger(), actual.ledgers().get(i).ledger());
      assertEquals(page.firstSeq(), actual.ledgers().get(i).firstSeq());
      assertArrayEquals(page.entries(), actual.ledgers().get(i).entries());
    }
  }

  private static List<Row> severalPages() {
    List<Row> rows = new ArrayList<>();
    for (int shard = 0; shard < 3; shard++) {
      SampleShard sample = new SampleShard(Integer.MAX_VALUE - shard, 255 - shard);
      sample.rows("earlier", shard, LATER);
      rows.addAll(sample.rows("a", 1 + shard, LATER.plusSeconds(shard)));
    }
    return rows;
  }

  @Test
  void aRecordIsReadBack() {
    BatchPages pages = BatchPages.of(severalPages());
    ByteBuffer record = pages.encode();

    assertEquals(3, pages.keys().size());
    assertEquals(3, pages.ledgers().size());
    assertSame(pages, BatchPages.decode(record));
    assertSame(pages, BatchPages.decode(record));
    assertTrue(record.hasRemaining(), "reading does not use it up");
  }

  @Test
  void aBatchWithoutRowsIsARecordToo() {
    BatchPages none = BatchPages.of(List.of());
    assertEquals(0, none.size());
    assertTrue(none.encode().hasRemaining(), "else it would be a blank");
    assertSame(none, BatchPages.decode(none.encode()));
  }

  @Test
  void theSizeIsThatOfTheEntries() {
    List<Row> rows = severalPages();
    assertEquals(rows.size() * (64 + 80), BatchPages.of(rows).size());
  }

  @Test
  void aRecordThatIsCutShortIsNotRead() {
    ByteBuffer record = BatchPages.of(severalPages()).encode();
    for (int length = 0; length < record.limit(); length++) {
      ByteBuffer cut = record.duplicate().limit(length);
      assertThrows(BufferUnderflowException.class, () -> BatchPages.decode(cut), "at " + length);
    }
  }

  /** Each row in a ledger of its own, and with a window of its own. */
  @Test
  void theLargestRecordIsNoLargeMessage() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < Batch.MAX_ROWS; i++) {
      rows.add(new SampleShard(1, i).row("k" + i, LATER.plusMillis(i)));
    }
    ByteBuffer record = BatchPages.of(rows).encode();
    assertTrue(
        record.limit() < LARGE - BatchLogEntry.HEADER_BYTES,
        () -> record.limit() + " bytes, and " + BatchLogEntry.HEADER_BYTES);
  }
}
