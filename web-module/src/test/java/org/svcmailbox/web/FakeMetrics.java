package org.svcmailbox.web;

import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.MetricsService;

/** Metrics that tell only how often they were brought up to date. */
public final class FakeMetrics implements MetricsService {
  private int refreshed;

  @Override
  public synchronized void add(MetricSource source) {
    throw new UnsupportedOperationException();
  }

  @Override
  public synchronized void refresh() {
    refreshed++;
  }

  synchronized String text() {
    return "refreshed_total " + refreshed + "\n";
  }
}
