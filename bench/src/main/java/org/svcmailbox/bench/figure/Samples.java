package org.svcmailbox.bench.figure;

import java.util.Arrays;
import java.util.List;

/** Medians and percentiles of measured values. */
public final class Samples {
  private Samples() {}

  /** The middle value; for an even number of values, the mean of the middle two. */
  public static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /**
   * The smallest value that is not below {@code percent} of all values.
   *
   * @param values in any order
   */
  static double percentile(List<Long> values, double percent) {
    return at(values.stream().sorted().toList(), percent);
  }

  /** A percentile of times in nanoseconds, as milliseconds. */
  public static double millis(List<Long> nanos, double percent) {
    return percentile(nanos, percent) / 1e6;
  }

  /** Several percentiles with one sort. */
  public static List<Long> percentiles(List<Long> values, double... percents) {
    List<Long> sorted = values.stream().sorted().toList();
    return Arrays.stream(percents).mapToObj(percent -> at(sorted, percent)).toList();
  }

  private static long at(List<Long> sorted, double percent) {
    int rank = (int) Math.ceil(percent * sorted.size() / 100);
    return sorted.get(Math.max(0, rank - 1));
  }
}
