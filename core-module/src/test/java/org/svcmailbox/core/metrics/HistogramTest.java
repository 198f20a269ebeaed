package org.svcmailbox.core.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistogramTest {
  private final Histogram histogram = new Histogram(Family.REQUEST_LATENCY_SECONDS, "send");

  private static Map<String, Double> told(Distribution distribution) {
    Map<String, Double> told = new TreeMap<>();
    distribution
        .read()
        .forEach(sample -> told.put(sample.suffix() + sample.labelValue(), sample.value()));
    return told;
  }

  private double told(String sample) {
    return told(histogram).getOrDefault(sample, Double.NaN);
  }

  @Test
  void bucketsGoFromHalfAMillisecondToTenSecondsAndOnWithoutEnd() {
    assertEquals("0.0005", Histogram.BOUNDS.get(0));
    assertEquals("10", Histogram.BOUNDS.get(Histogram.BOUNDS.size() - 1));
    assertEquals(Histogram.BOUNDS.size() + 3, histogram.read().size());
    assertEquals(Map.of("op", "send"), histogram.tags());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0.0005",
    "500000, 0.0005",
    "500001, 0.001",
    "2500000, 0.0025",
    "10000000000, 10",
    "10000000001, +Inf",
    "-1, 0.0005"
  })
  void aBoundBelongsToItsBucketAndEachBucketCountsThoseBelow(long nanos, String first) {
    histogram.record(nanos);
    boolean isReached = false;
    for (Sample sample : histogram.read()) {
      if (sample.label().equals("le")) {
        isReached |= sample.labelValue().equals(first);
        assertEquals(isReached ? 1 : 0, sample.value(), sample.labelValue());
      }
    }
    assertEquals(1, told("_count"));
  }

  @Test
  void theSumIsInSeconds() {
    histogram.record(Duration.ofMillis(1500).toNanos());
    histogram.record(Duration.ofMillis(250).toNanos());
    assertEquals(1.75, told("_sum"), 1e-9);
    assertEquals(2, told("_count"));
    assertEquals(2, told("_bucket+Inf"));
    assertEquals(1, told("_bucket0.25"));
  }

  @Test
  void threadsThatRecordAtOnceLoseNothing() {
    IntStream.range(0, 100_000).parallel().forEach(i -> histogram.record(i * 1_000L));
    assertEquals(100_000, told("_count"));
    assertEquals(501, told("_bucket0.0005"));
    assertEquals(50_001, told("_bucket0.05"));
  }

  @Test
  void aSummaryTellsHowManyHowMuchAndTheMost() {
    Summary summary = new Summary(Family.SCANNER_WAKE_JITTER_MS);
    assertEquals(Map.of("1", 0.0, "_sum", 0.0, "_count", 0.0), told(summary));
    summary.record(7);
    summary.record(40);
    summary.record(2);
    assertEquals(Map.of("1", 40.0, "_sum", 49.0, "_count", 3.0), told(summary));
  }
}
