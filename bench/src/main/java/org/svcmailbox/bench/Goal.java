package org.svcmailbox.bench;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * A ratio of the service to another contestant that is to be reached.
 *
 * @param ours the form of the service that counts
 * @param atMost whether the ratio is to be at most the bound, instead of at least
 */
record Goal(String work, String ours, String other, Load load, boolean atMost, double bound) {
  private static final String OURS = "mailbox";
  private static final Load SINGLE = Load.closed(Work.SEND, 64, 1);
  private static final Load TENS = Load.closed(Work.SEND, 64, 10);
  private static final Load HUNDREDS = Load.closed(Work.SEND, 64, 100);
  private static final Load RECEIVED = Load.closed(Work.RECV, 64, 10);
  private static final Load ALONE = Load.closed(Work.SEND, 1, 1);

  /** Those that a comparison can tell about. */
  static final List<Goal> ALL =
      List.of(
          rate(OURS, "elasticmq-memory", SINGLE, 1.0),
          rate(OURS, "elasticmq-file", SINGLE, 1.7),
          rate("mailbox-octet", "elasticmq-memory", SINGLE, 1.0),
          rate("mailbox-octet", "elasticmq-file", SINGLE, 1.7),
          rate(OURS, "elasticmq-memory", TENS, 1.0),
          rate(OURS, "elasticmq-file", TENS, 4.0),
          rate(OURS, "elasticmq-memory", RECEIVED, 1.0),
          rate(OURS, "elasticmq-file", RECEIVED, 3.0),
          new Goal("p50 of " + ALONE.title(), OURS, "artemis", ALONE, true, 1.5),
          rate(OURS, "artemis", HUNDREDS, 0.35),
          rate("mailbox-postgresql", OURS, SINGLE, 0.8),
          rate("mailbox-postgresql", OURS, RECEIVED, 0.8));

  private static Goal rate(String ours, String other, Load load, double bound) {
    return new Goal(load.title(), ours, other, load, false, bound);
  }

  /** The ratio of the medians; nothing if one of them was not measured. */
  OptionalDouble ratio(Comparison comparison) {
    ToDoubleFunction<Measured> figure =
        atMost ? one -> one.outcome().p50Millis() : one -> one.outcome().perSecond();
    OptionalDouble one = comparison.median(ours, load, figure);
    OptionalDouble two = comparison.median(other, load, figure);
    return one.isPresent() && two.isPresent()
        ? OptionalDouble.of(one.getAsDouble() / two.getAsDouble())
        : OptionalDouble.empty();
  }

  boolean isReached(double ratio) {
    return atMost ? ratio <= bound : ratio >= bound;
  }

  /** The bound as it is written. */
  String wanted() {
    return (atMost ? "at most " : "at least ") + String.format(Locale.ROOT, "%.2f", bound);
  }
}
