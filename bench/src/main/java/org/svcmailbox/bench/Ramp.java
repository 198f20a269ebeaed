package org.svcmailbox.bench;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * How a rate rises after a start.
 *
 * @param perSecond messages in each second after the server was ready
 */
record Ramp(List<Double> perSecond) {
  private static final double NEARLY = 0.8;
  private static final int STEADY = 3;
  private static final int BEST = 20;

  Ramp {
    perSecond = List.copyOf(perSecond);
    if (perSecond.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
  }

  /**
   * The median of the best 20 seconds, wherever they are, or of the best quarter of a short load:
   * one lucky second does not make a peak, one pause does not hide it.
   */
  double peak() {
    int best = Math.max(1, Math.min(BEST, perSecond.size() / 4));
    return Samples.median(
        perSecond.stream().sorted(Comparator.reverseOrder()).limit(best).toList());
  }

  /** Seconds from ready to the first of three in a row that reach 80 % of the peak. */
  OptionalInt secondsToNearly() {
    double enough = NEARLY * peak();
    return IntStream.rangeClosed(0, perSecond.size() - STEADY)
        .filter(
            first ->
                perSecond.subList(first, first + STEADY).stream().allMatch(rate -> rate >= enough))
        .findFirst();
  }
}
