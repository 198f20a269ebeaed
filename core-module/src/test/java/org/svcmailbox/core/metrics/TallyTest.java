package org.svcmailbox.core.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TallyTest {
  private final Tally tally = new Tally(Family.REJECTED_TOTAL, List.of("schema", "missing"));

  private Map<String, Double> told() {
    Map<String, Double> told = new TreeMap<>();
    tally.metrics().forEach(metric -> told.put(metric.tags().get("reason"), metric.now()));
    return told;
  }

  @Test
  void whatIsKnownIsToldBeforeItHappens() {
    assertEquals(Map.of("schema", 0.0, "missing", 0.0), told());
    tally.count("schema");
    tally.count("shard_capacity");
    assertEquals(Map.of("schema", 1.0, "missing", 0.0, "shard_capacity", 1.0), told());
    assertEquals(1, tally.of("schema"));
    assertEquals(0, tally.of("expired"));
  }

  @Test
  void valuesAreBoundedAndTheRestIsCountedTogether() {
    for (int i = 0; i < 1000; i++) {
      tally.count("value" + i);
    }
    tally.count("schema");
    assertEquals(Tally.MOST_VALUES + 1, told().size());
    assertEquals(1, tally.of("schema"), "known before");
    assertEquals(1000 - (Tally.MOST_VALUES - 2), tally.of(Tally.OTHER));
  }

  @Test
  void threadsThatCountAtOnceLoseNothingAndMakeNoMoreValues() {
    IntStream.range(0, 10_000).parallel().forEach(i -> tally.count("value" + i % 200));
    assertEquals(10_000, told().values().stream().mapToDouble(Double::doubleValue).sum());
    assertEquals(Tally.MOST_VALUES + 1, told().size());
  }

  @Test
  void aMetricHasExactlyTheLabelsOfItsFamily() {
    assertThrows(IllegalArgumentException.class, () -> Family.REJECTED_TOTAL.of(() -> 1));
    assertThrows(IllegalArgumentException.class, () -> Family.RATE_BUCKETS.of(() -> 1, "x"));
    Metric metric = Family.BOUND_USED.of(() -> 7, "max_waiting");
    assertEquals(Map.of("bound", "max_waiting"), metric.tags());
    assertEquals(7, metric.now());
  }
}
