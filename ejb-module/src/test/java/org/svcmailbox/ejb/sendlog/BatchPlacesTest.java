package org.svcmailbox.ejb.sendlog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.SampleShard;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.ejb.sendlog.BatchPlaces.Stretch;

class BatchPlacesTest {
  private static final Instant LATER = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void interleavedShardsAreOneStretchEach() {
    SampleShard one = new SampleShard(1, 0);
    SampleShard two = new SampleShard(7, 255);
    one.row("earlier", LATER);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      rows.add(one.row("a" + i, LATER));
      rows.add(two.row("b" + i, LATER));
    }

    BatchPlaces places = BatchPlaces.of(rows);

    assertEquals(List.of(new Stretch(1, 0, 2, 6), new Stretch(7, 255, 1, 5)), places.stretches());
    assertEquals(rows.stream().map(Row::key).toList(), places.keys());
  }

  @Test
  void aGapBeginsANewStretch() {
    SampleShard shard = new SampleShard(1, 0);
    Row first = shard.row("a", LATER);
    shard.row("skipped", LATER);
    Row third = shard.row("b", LATER);

    assertEquals(
        List.of(new Stretch(1, 0, 1, 1), new Stretch(1, 0, 3, 3)),
        BatchPlaces.of(List.of(first, third)).stretches());
  }

  @Test
  void theStoredFormIsReadBack() {
    List<Row> rows = new ArrayList<>(new SampleShard(Integer.MAX_VALUE, 3).rows("a", 9, LATER));
    rows.addAll(new SampleShard(2, 0).rows("b", 3, LATER));
    BatchPlaces places = BatchPlaces.of(rows);

    assertEquals(places, BatchPlaces.ofBytes(places.bytes()));
    assertEquals(4 + 2 * 24 + 12 * 16, places.bytes().length);
    assertEquals(BatchPlaces.NONE, BatchPlaces.ofBytes(BatchPlaces.NONE.bytes()));
  }
}
