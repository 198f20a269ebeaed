package org.svcmailbox.core.sendlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.ejb.sendlog.BatchPlaces.PagePlace;

class LedgerPageTest {
  private static final Instant LATER = Instant.parse("2026-03-01T12:00:00Z");

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

    assertEquals(2, pages.size());
    assertEquals(new PagePlace(1, 0, 2), PagePlace.of(pages.get(0)));
    assertEquals(new PagePlace(7, 255, 1), PagePlace.of(pages.get(1)));
    assertEquals(5, pages.get(0).entries().size());
    assertEquals(rows.get(9).entry(), pages.get(1).entries().get(4));
  }

  @Test
  void aGapBeginsANewPage() {
    SampleShard shard = new SampleShard(1, 0);
    Row first = shard.row("a", LATER);
    shard.row("skipped", LATER);
    Row third = shard.row("b", LATER);

    List<PagePlace> places =
        LedgerPage.of(List.of(first, third)).stream().map(PagePlace::of).toList();

    assertEquals(List.of(new PagePlace(1, 0, 1), new PagePlace(1, 0, 3)), places);
  }

  @Test
  void noRowsAreNoPages() {
    assertEquals(List.of(), LedgerPage.of(List.of()));
    assertThrows(IllegalArgumentException.class, () -> new LedgerPage(1, 0, List.of()));
  }

  @Test
  void theStoredFormIsReadBack() {
    SampleShard shard = new SampleShard(Integer.MAX_VALUE, 3);
    shard.rows("earlier", 41, LATER);
    LedgerPage page = LedgerPage.of(shard.rows("a", 9, LATER)).get(0);

    assertEquals(9 * 80, page.bytes().length);
    assertEquals(page.entries(), LedgerPage.entries(42, page.bytes()));
  }

  @Test
  void thePlacesOfABatchAreReadBack() {
    List<Row> rows = new ArrayList<>(new SampleShard(Integer.MAX_VALUE, 3).rows("a", 9, LATER));
    rows.addAll(new SampleShard(2, 0).rows("b", 3, LATER));
    BatchPlaces places = BatchPlaces.of(LedgerPage.of(rows));

    assertEquals(places, BatchPlaces.ofBytes(places.bytes()));
    assertEquals(4 + 2 * 16, places.bytes().length);
    assertEquals(BatchPlaces.NONE, BatchPlaces.ofBytes(BatchPlaces.NONE.bytes()));
  }
}
