package org.svcmailbox.bench.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class HistogramBucketsTest {
  private static String text(int first, int second, int all) {
    return """
        # TYPE a_seconds histogram
        a_seconds_bucket{mp_scope="application",le="0.01",} %d.0
        a_seconds_bucket{mp_scope="application",le="0.02",} %d.0
        a_seconds_bucket{mp_scope="application",le="+Inf",} %d.0
        b_a_seconds_count{mp_scope="application",} 7.0
        """
        .formatted(first, second, all);
  }

  private static HistogramBuckets buckets(int first, int second, int all) {
    return HistogramBuckets.of(text(first, second, all), "a_seconds");
  }

  @Test
  void valuesAreSpreadEvenlyInABucket() {
    HistogramBuckets buckets = buckets(10, 20, 20);
    assertEquals(20, buckets.count());
    assertEquals(0.005, buckets.percentile(25), 1e-9);
    assertEquals(0.01, buckets.percentile(50), 1e-9);
    assertEquals(0.018, buckets.percentile(90), 1e-9);
  }

  @Test
  void aPercentileAboveAllBoundsIsTheLastBound() {
    assertEquals(0.02, buckets(1, 2, 100).percentile(99), 1e-9);
  }

  @Test
  void onlyNewObservationsCount() {
    HistogramBuckets added = buckets(1_000, 1_010, 1_010).since(buckets(1_000, 1_000, 1_000));
    assertEquals(10, added.count());
    assertEquals(0.015, added.percentile(50), 1e-9);
  }
}
