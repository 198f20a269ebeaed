package org.svcmailbox.bench.latency;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.svcmailbox.bench.machine.Span;

/** Times in which no SEND was answered. */
final class Stalls {
  /** The objective: a longer time is a stall. */
  static final Duration LIMIT = Duration.ofMillis(250);

  private Stalls() {}

  /**
   * The times between answers, longest first.
   *
   * @param answered moments in any order
   * @param from when the load began
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

  /** The number of times above {@link #LIMIT}. */
  static long count(List<Span> gaps) {
    return gaps.stream().filter(gap -> gap.nanos() > LIMIT.toNanos()).count();
  }
}
