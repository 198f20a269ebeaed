package org.svcmailbox.core.metrics;

import java.util.List;

/** Collects the metrics of all parts for export. Any thread. */
public interface MetricsService {
  /** Registers {@code source} for as long as the application runs. */
  void add(MetricSource source);

  /** Updates the exported values, every few seconds and before each export. */
  void refresh();

  /** All registered distributions: the server's own exporter cannot show them. */
  List<Distribution> distributions();
}
