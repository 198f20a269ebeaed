package org.svcmailbox.web;

import java.util.List;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Histogram;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.MetricsService;

/** Metrics that count refreshes only. */
public final class FakeMetrics implements MetricsService {
  /** The only histogram. */
  public final Histogram latency = new Histogram(Family.REQUEST_LATENCY_SECONDS, "send");

  private int refreshed;

  @Override
  public synchronized void add(MetricSource source) {
    throw new UnsupportedOperationException();
  }

  @Override
  public synchronized void refresh() {
    refreshed++;
  }

  @Override
  public List<Distribution> distributions() {
    return List.of(latency);
  }

  synchronized String text() {
    return "refreshed_total " + refreshed + "\n";
  }
}
