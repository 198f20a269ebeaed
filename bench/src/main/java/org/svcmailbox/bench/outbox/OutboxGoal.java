package org.svcmailbox.bench.outbox;

import java.util.List;
import org.svcmailbox.bench.figure.Bound;
import org.svcmailbox.bench.options.Parts;

/**
 * A goal of the scenario {@code outbox}.
 *
 * @param part part that measures it
 * @param key name of the figure
 * @param work name in tables
 */
record OutboxGoal(String part, String key, String work, Bound bound) {
  static final List<OutboxGoal> ALL =
      List.of(
          new OutboxGoal(
              Parts.RECORD,
              "record.ratio",
              "caller's transaction with `record`, to the same without",
              Bound.atMost(1.25)),
          new OutboxGoal(
              Parts.RECORD,
              "record.added",
              "time that `record` adds, to the time that gruelbox adds",
              Bound.atMost(0.8)),
          new OutboxGoal(
              Parts.DRAIN,
              "drain.gruelbox.ratio",
              "drain to a no-op, to gruelbox",
              Bound.atLeast(3)),
          new OutboxGoal(
              Parts.DRAIN,
              "drain.loop.ratio",
              "drain to a no-op, to a plain SKIP LOCKED loop",
              Bound.atLeast(0.8)),
          new OutboxGoal(
              Parts.SERVICE,
              "service.ratio",
              "drain to the service, to the batch client without database",
              Bound.atLeast(0.7)),
          new OutboxGoal(
              Parts.MILLION,
              "million.ratio",
              "last tenth of a long drain to a no-op, to the first",
              Bound.atLeast(0.8)),
          new OutboxGoal(
              Parts.MILLION,
              "million.open.ratio",
              "the same while another transaction is left open",
              Bound.atLeast(0.6)),
          new OutboxGoal(
              Parts.MILLION_SERVICE,
              "million.service.ratio",
              "last tenth of a long drain to the service, to the first",
              Bound.atLeast(0.8)),
          new OutboxGoal(
              Parts.JOURNEY,
              "journey.p50_ms",
              "ms from commit to handler at 100/s, p50",
              Bound.atMost(50)),
          new OutboxGoal(
              Parts.JOURNEY,
              "journey.p99_ms",
              "ms from commit to handler at 100/s, p99",
              Bound.atMost(300)));
}
