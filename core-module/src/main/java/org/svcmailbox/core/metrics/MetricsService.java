package org.svcmailbox.core.metrics;

import java.util.List;

/** The one place where the metrics of all parts come together on their way out. Any thread. */
public interface MetricsService {
  /** From now on tells what {@code source} has to tell, as long as the application runs. */
  void add(MetricSource source);

  /**
   * Brings what is exported up to date. The service does so every few seconds; an exporter calls it
   * right before.
   */
  void refresh();

  /** Every distribution that was added: what the exporter of the server cannot tell. */
  List<Distribution> distributions();
}
