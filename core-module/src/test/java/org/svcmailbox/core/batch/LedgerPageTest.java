package org.svcmailbox.core.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;

class LedgerPageTest {
  private static final Instant LATER = Instant.parse("2026-03-01T12:00:00Z");

  /** Where a page is. */
  private record Place(LedgerId ledger, long firstSeq) {
    static Place of(LedgerPage page) {
      return new Place(page.ledger(), page.firstSeq());
    }
  }

  private static List<LedgerEntry> entries(LedgerPage page) {
    return LedgerPage.entries(page.firstSeq(), page.entries());
  }

  @Test
  void interleavedShardsAreOnePageEach() {
    SampleShard one = new SampleShard(1, 0);
    SampleShard two = new SampleShard(7, 255);
    one.row("earlier", LATER);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      rows.add(one.row("a" + i, LATER));
      rows.add(two.row("b" + i, LATER));
    }

    List<LedgerPage> pages = LedgerPage.of(rows);

    assertEquals(
        List.of(new Place(one.ledger(), 2), new Place(two.ledger(), 1)),
        pages.stream().map(Place::of).toList());
    assertEquals(5, entries(pages.get(0)).size());
    assertEquals(rows.get(9).entry(), entries(pages.get(1)).get(4));
  }

  @Test
  void aGapBeginsANewPage() {
    SampleShard shard = new SampleShard(1, 0);
    Row first = shard.row("a", LATER);
    shard.row("skipped", LATER);
    Row third = shard.row("b", LATER);

    List<Place> places = LedgerPage.of(List.of(first, third)).stream().map(Place::of).toList();

    assertEquals(List.of(new Place(shard.ledger(), 1), new Place(shard.ledger(), 3)), places);
  }

  @Test
  void noRowsAreNoPages() {
    assertEquals(List.of(), LedgerPage.of(List.of()));
    LedgerId ledger = new LedgerId(1, 0);
    assertThrows(IllegalArgumentException.class, () -> new LedgerPage(ledger, 1, new byte[0]));
    assertThrows(IllegalArgumentException.class, () -> new LedgerPage(ledger, 1, new byte[81]));
  }

  @Test
  void theStoredFormIsReadBack() {
    SampleShard shard = new SampleShard(Integer.MAX_VALUE, 3);
    shard.rows("earlier", 41, LATER);
    List<Row> rows = shard.rows("a", 9, LATER);
    LedgerPage page = LedgerPage.of(rows).get(0);

    assertEquals(9 * 80, page.entries().length);
    assertEquals(rows.stream().map(Row::entry).toList(), LedgerPage.entries(42, page.entries()));
  }

  @Test
  void aPageSaysWhereItsLedgerEnds() {
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = shard.rows("a", 9, LATER);

    assertEquals(LedgerHead.after(rows.get(8).entry()), LedgerPage.of(rows).get(0).head());
    assertEquals(
        LedgerHead.after(rows.get(4).entry()), LedgerPage.of(rows.subList(3, 5)).get(0).head());
  }
}
