package org.svcmailbox.bench.start;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.svcmailbox.bench.figure.Samples;

/**
 * The rise of a rate after a start.
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
   * Median of the best 20 seconds, or of the best quarter of a short load. One lucky second does
   * not make a peak, one pause does not hide it.
   */
  double peak() {
    int best = Math.max(1, Math.min(BEST, perSecond.size() / 4));
    return Samples.median(
        perSecond.stream().sorted(Comparator.reverseOrder()).limit(best).toList());
  }

  /**
   * Seconds from ready to the first of three in a row at 80 % of the peak; empty if there are none.
   */
  OptionalInt secondsToNearly() {
    double enough = NEARLY * peak();
    return IntStream.rangeClosed(0, perSecond.size() - STEADY)
        .filter(
            first ->
                perSecond.subList(first, first + STEADY).stream().allMatch(rate -> rate >= enough))
        .findFirst();
  }
}
