package org.svcmailbox.core.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RefusedBatchTest {
  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

  private static String detail(int topics) {
    List<Row> rows =
        IntStream.rangeClosed(1, topics)
            .mapToObj(topic -> new SampleShard(topic, 0).row("key", LATER))
            .toList();
    Batch batch = SampleBatch.of(1, 3, rows);
    return new RefusedBatch(batch, SampleBatch.id(5), "ledger_page has none").detail();
  }

  @Test
  void theDetailOfABatchWithManyTopicsIsShort() {
    String detail = detail(512);
    assertTrue(detail.length() < 1_000, detail);
    assertTrue(
        detail.endsWith(
            "; ledger of topic id 3, shard 0, from number 1, and 509 more): ledger_page has none"),
        detail);
  }

  @Test
  void threeLedgersAreNamed() {
    assertEquals(
        "the database refuses batch 3 of worker 1 (ledger of topic id 1, shard 0, from number 1;"
            + " ledger of topic id 2, shard 0, from number 1; ledger of topic id 3, shard 0, from"
            + " number 1): ledger_page has none",
        detail(3));
  }
}
