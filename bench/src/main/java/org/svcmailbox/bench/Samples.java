package org.svcmailbox.bench;

import java.util.Arrays;
import java.util.List;

/** Measured values, and what is said about them. */
final class Samples {
  private Samples() {}

  /** The middle of some values; the mean of the middle two when their number is even. */
  static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /**
   * The value that {@code percent} of all are not above.
   *
   * @param values in any order
   */
  static double percentile(List<Long> values, double percent) {
    return at(values.stream().sorted().toList(), percent);
  }

  /** Several of these at once, which is cheaper where there are many values. */
  static List<Long> percentiles(List<Long> values, double... percents) {
    List<Long> sorted = values.stream().sorted().toList();
    return Arrays.stream(percents).mapToObj(percent -> at(sorted, percent)).toList();
  }

  private static long at(List<Long> sorted, double percent) {
    int rank = (int) Math.ceil(percent * sorted.size() / 100);
    return sorted.get(Math.max(0, rank - 1));
  }
}
