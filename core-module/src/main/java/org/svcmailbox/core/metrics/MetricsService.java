package org.svcmailbox.core.metrics;

/** Collects the metrics of all parts for export. Any thread. */
public interface MetricsService {
  /** Registers {@code source} for as long as the application runs. */
  void add(MetricSource source);

  /** Every metric of the application now. */
  Readings readings();

  /** The sum of one family's samples; reads no other metric. */
  long sum(Family family);

  /** All metrics, and the JVM's, in Prometheus' text format. */
  default String text() {
    return readings().text() + JvmMetrics.text();
  }
}
