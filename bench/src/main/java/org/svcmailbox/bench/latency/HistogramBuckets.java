package org.svcmailbox.bench.latency;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cumulative buckets of a histogram.
 *
 * @param below counts by upper bound in seconds
 */
record HistogramBuckets(SortedMap<Double, Double> below) {
  /** Reads a histogram without labels from Prometheus text. */
  static HistogramBuckets of(String text, String name) {
    SortedMap<Double, Double> below = new TreeMap<>();
    Matcher bucket =
        Pattern.compile(name + "_bucket\\{[^}]*le=\"([^\"]+)\"[^}]*} (\\S+)").matcher(text);
    while (bucket.find()) {
      below.put(bound(bucket.group(1)), Double.parseDouble(bucket.group(2)));
    }
    return new HistogramBuckets(below);
  }

  private static double bound(String text) {
    return text.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
  }

  /** The observations since an earlier reading. */
  HistogramBuckets since(HistogramBuckets before) {
    SortedMap<Double, Double> added = new TreeMap<>();
    below.forEach(
        (bound, count) -> added.put(bound, count - before.below.getOrDefault(bound, 0.0)));
    return new HistogramBuckets(added);
  }

  /** Number of observations. */
  double count() {
    return below.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  /** A percentile in seconds, interpolated within its bucket as Prometheus does. */
  double percentile(double percent) {
    double rank = percent / 100 * count();
    double lower = 0;
    double before = 0;
    for (Map.Entry<Double, Double> bucket : below.entrySet()) {
      double upper = bucket.getKey();
      if (bucket.getValue() >= rank) {
        double within = (rank - before) / (bucket.getValue() - before);
        return Double.isInfinite(upper) ? lower : lower + (upper - lower) * within;
      }
      lower = upper;
      before = bucket.getValue();
    }
    return lower;
  }
}
