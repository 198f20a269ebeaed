package org.svcmailbox.bench;

import java.util.List;

/**
 * A figure of the outbox that is to keep a bound.
 *
 * @param part what measures it
 * @param key its name among the figures, and that of its ratio where it is one
 * @param work its name in tables
 */
record OutboxGoal(String part, String key, String work, Bound bound) {
  static final String RECORD = "record";
  static final String DRAIN = "drain";
  static final String SERVICE = "service";
  static final String MILLION = "million";
  static final String MILLION_SERVICE = "million-service";
  static final String JOURNEY = "journey";

  /** The parts that can be chosen, in the order in which they are measured. */
  static final List<String> PARTS =
      List.of(RECORD, DRAIN, MILLION, SERVICE, JOURNEY, MILLION_SERVICE);

  static final List<OutboxGoal> ALL =
      List.of(
          new OutboxGoal(
              RECORD,
              "record.ratio",
              "caller's transaction with `record`, to the same without",
              Bound.atMost(1.25)),
          new OutboxGoal(
              RECORD,
              "record.added",
              "time that `record` adds, to the time that gruelbox adds",
              Bound.atMost(0.8)),
          new OutboxGoal(
              DRAIN, "drain.gruelbox.ratio", "drain to a no-op, to gruelbox", Bound.atLeast(3)),
          new OutboxGoal(
              DRAIN,
              "drain.loop.ratio",
              "drain to a no-op, to a plain SKIP LOCKED loop",
              Bound.atLeast(0.8)),
          new OutboxGoal(
              SERVICE,
              "service.ratio",
              "drain to the service, to the batch client without database",
              Bound.atLeast(0.7)),
          new OutboxGoal(
              MILLION,
              "million.ratio",
              "last tenth of a long drain to a no-op, to the first",
              Bound.atLeast(0.8)),
          new OutboxGoal(
              MILLION,
              "million.open.ratio",
              "the same while another transaction is left open",
              Bound.atLeast(0.6)),
          new OutboxGoal(
              MILLION_SERVICE,
              "million.service.ratio",
              "last tenth of a long drain to the service, to the first",
              Bound.atLeast(0.8)),
          new OutboxGoal(
              JOURNEY,
              "journey.p50_ms",
              "ms from commit to handler at 100/s, p50",
              Bound.atMost(50)),
          new OutboxGoal(
              JOURNEY,
              "journey.p99_ms",
              "ms from commit to handler at 100/s, p99",
              Bound.atMost(300)));
}
