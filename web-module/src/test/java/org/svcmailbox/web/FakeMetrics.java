package org.svcmailbox.web;

import java.util.List;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Histogram;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.metrics.Readings;

/** Metrics that count how often they are read. */
public final class FakeMetrics implements MetricsService, MetricSource {
  private final Histogram latency = new Histogram(Family.REQUEST_LATENCY_SECONDS, "send");
  private int refreshed;

  @Override
  public void add(MetricSource source) {
    throw new UnsupportedOperationException();
  }

  @Override
  public synchronized String text() {
    refreshed++;
    return "refreshed_total " + refreshed + "\n" + readings().text();
  }

  @Override
  public long sum(Family family) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Readings readings() {
    return Readings.of(List.of(this));
  }

  @Override
  public List<Metric> metrics() {
    return List.of();
  }

  @Override
  public List<Distribution> distributions() {
    return List.of(latency);
  }
}
