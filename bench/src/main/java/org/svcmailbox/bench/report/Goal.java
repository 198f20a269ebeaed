package org.svcmailbox.bench.report;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.svcmailbox.bench.figure.Bound;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Work;

/**
 * A goal for the ratio of the service to another contestant: of p50 if the bound is an upper one,
 * else of rates.
 *
 * @param ours form of the service that counts
 */
record Goal(String work, String ours, String other, Load load, Bound bound) {
  private static final String OURS = "mailbox";
  private static final Load SINGLE = Load.closed(Work.SEND, 64, 1);
  private static final Load TENS = Load.closed(Work.SEND, 64, 10);
  private static final Load HUNDREDS = Load.closed(Work.SEND, 64, 100);
  private static final Load RECEIVED = Load.closed(Work.RECV, 64, 10);
  private static final Load ALONE = Load.closed(Work.SEND, 1, 1);
  private static final Load EIGHT = Load.closed(Work.SEND, 8, 1);

  static final List<Goal> ALL =
      List.of(
          rate(OURS, "elasticmq-memory", SINGLE, 1.3),
          rate(OURS, "elasticmq-file", SINGLE, 1.7),
          rate(OURS, "elasticmq-memory", TENS, 1.2),
          rate(OURS, "elasticmq-file", TENS, 4.0),
          rate(OURS, "elasticmq-memory", RECEIVED, 1.0),
          rate(OURS, "elasticmq-file", RECEIVED, 3.0),
          rate(OURS, "postgresql", ALONE, 0.5),
          rate(OURS, "postgresql", EIGHT, 0.7),
          new Goal("p50 of " + ALONE.title(), OURS, "artemis", ALONE, Bound.atMost(1.5)),
          rate(OURS, "artemis", HUNDREDS, 0.5),
          rate(OURS, "rabbitmq", SINGLE, 1.0),
          rate(OURS, "redis", SINGLE, 1.0),
          rate(OURS, "beanstalkd", SINGLE, 1.0),
          rate(OURS, "rabbitmq", RECEIVED, 1.0),
          rate(OURS, "redis", RECEIVED, 1.0),
          rate(OURS, "beanstalkd", RECEIVED, 1.0),
          rate("mailbox-postgresql", OURS, SINGLE, 0.9),
          rate("mailbox-postgresql", OURS, RECEIVED, 0.9));

  private static Goal rate(String ours, String other, Load load, double bound) {
    return new Goal(load.title(), ours, other, load, Bound.atLeast(bound));
  }

  /** Ratio of the medians; empty if one was not measured. */
  OptionalDouble ratio(Comparison comparison) {
    ToDoubleFunction<Measurement> figure =
        bound.atMost() ? one -> one.outcome().p50Millis() : one -> one.outcome().perSecond();
    OptionalDouble one = comparison.median(ours, load, figure);
    OptionalDouble two = comparison.median(other, load, figure);
    return one.isPresent() && two.isPresent()
        ? OptionalDouble.of(one.getAsDouble() / two.getAsDouble())
        : OptionalDouble.empty();
  }
}
