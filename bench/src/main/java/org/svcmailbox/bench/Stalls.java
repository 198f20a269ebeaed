package org.svcmailbox.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds the times in which nothing was answered. */
final class Stalls {
  /** What counts as one. */
  static final Duration LIMIT = Duration.ofMillis(250);

  private Stalls() {}

  /**
   * The times between answers, the longest first.
   *
   * @param answered moments, in any order
   * @param from when answers were first waited for
   */
  static List<Span> between(List<Long> answered, long from) {
    List<Span> gaps = new ArrayList<>();
    long last = from;
    for (long moment : answered.stream().sorted().toList()) {
      gaps.add(new Span("nothing answered", last, moment));
      last = moment;
    }
    return gaps.stream().sorted(Comparator.comparingLong(Span::nanos).reversed()).toList();
  }

  /** How many of these are longer than they may be. */
  static long count(List<Span> gaps) {
    return gaps.stream().filter(gap -> gap.nanos() > LIMIT.toNanos()).count();
  }
}
