package org.svcmailbox.bench.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.svcmailbox.bench.figure.Samples;

/**
 * The bounds of {@link Soak} after its warm-up.
 *
 * @param perSecond rate of SENDs
 * @param windowSeconds how long a key stays taken
 * @param ledgerMebibytes limit of the ledgers
 */
record SoakBounds(int perSecond, int windowSeconds, long ledgerMebibytes) {
  /** Minutes until keys, ledgers and journal files reach their limits. */
  static final int WARM = 6;

  /** Share of the rate that must be reached. */
  private static final double REACHED = 0.98;

  /** Seconds that a key may outlast its window: two runs of maintenance, one of them slow. */
  private static final int PURGED_WITHIN = 5;

  /** Allowed growth of the second half, in MiB if that is more. */
  private static final double SPREAD = 0.1;

  private static final double SPREAD_MEBIBYTES = 48;

  /** Allowed excess of the ledgers: the growth of one second. */
  private static final double OVER = 1.05;

  private static final double P99_MILLIS = 100;

  /** The broken bounds, a phrase for each. */
  List<String> violations(List<SoakMinute> minutes) {
    if (minutes.size() < WARM + 2) {
      return List.of("%d minutes are too few to judge".formatted(minutes.size()));
    }
    List<String> broken = new ArrayList<>();
    List<SoakMinute> steady = minutes.subList(WARM, minutes.size());
    for (SoakMinute minute : steady) {
      atLeast(broken, "SENDs a second", minute.sent().perSecond(), REACHED * perSecond);
      double keys = (double) perSecond * (windowSeconds + PURGED_WITHIN);
      atMost(broken, "keys", (double) minute.keys(), keys);
      atMost(broken, "MiB of ledgers", (double) minute.ledgerMebibytes(), OVER * ledgerMebibytes);
    }
    flat(broken, "MiB of live heap", steady, minute -> (double) minute.liveMebibytes());
    flat(broken, "MiB on disk", steady, minute -> (double) minute.diskMebibytes());
    latency(broken, steady);
    return broken;
  }

  private static void flat(
      List<String> broken, String what, List<SoakMinute> steady, ToDoubleFunction<SoakMinute> of) {
    double first = median(firstHalf(steady), of);
    double allowed = first + Math.max(SPREAD * first, SPREAD_MEBIBYTES);
    atMost(broken, what + " in the second half", median(secondHalf(steady), of), allowed);
  }

  private static void latency(List<String> broken, List<SoakMinute> steady) {
    ToDoubleFunction<SoakMinute> p99 = minute -> minute.sent().p99Millis();
    atMost(broken, "ms at p99 in the first half", median(firstHalf(steady), p99), P99_MILLIS);
    atMost(broken, "ms at p99 in the second half", median(secondHalf(steady), p99), P99_MILLIS);
  }

  private static List<SoakMinute> firstHalf(List<SoakMinute> minutes) {
    return minutes.subList(0, minutes.size() / 2);
  }

  private static List<SoakMinute> secondHalf(List<SoakMinute> minutes) {
    return minutes.subList(minutes.size() / 2, minutes.size());
  }

  private static double median(List<SoakMinute> minutes, ToDoubleFunction<SoakMinute> of) {
    return Samples.median(minutes.stream().map(of::applyAsDouble).toList());
  }

  private static void atMost(List<String> broken, String what, double value, double most) {
    if (value > most) {
      broken.add(String.format(Locale.ROOT, "%,.1f %s, at most %,.1f", value, what, most));
    }
  }

  private static void atLeast(List<String> broken, String what, double value, double least) {
    if (value < least) {
      broken.add(String.format(Locale.ROOT, "%,.1f %s, at least %,.1f", value, what, least));
    }
  }
}
