package org.svcmailbox.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The bounds of a soak once it is steady.
 *
 * @param perSecond messages sent in each second
 * @param windowSeconds how long a key stays taken
 * @param ledgerMebibytes the most that the ledgers may take
 */
record SoakBounds(int perSecond, int windowSeconds, long ledgerMebibytes) {
  /** Minutes until every bound is reached: keys of the whole window, ledgers, the disk's files. */
  static final int WARM = 6;

  /** Of the rate that was asked for, what at least must be reached. */
  private static final double REACHED = 0.98;

  /** Seconds that a key may outstay its window: two turns of upkeep, and a slow one. */
  private static final int PURGED_WITHIN = 5;

  /** How much one half may have more than the other, and in MiB when that is more. */
  private static final double SPREAD = 0.1;

  private static final double SPREAD_MEBIBYTES = 48;

  /** How far the ledgers may be over their bound: what one second adds. */
  private static final double OVER = 1.05;

  private static final double P99_MILLIS = 100;

  /** The bounds that were not kept, a sentence for each. */
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
