package org.svcmailbox.ejb.metrics;

import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Local;
import jakarta.ejb.Singleton;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.metrics.Readings;

/** The metrics of all modules in one place. */
@Singleton
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
@Local(MetricsService.class)
public class MetricsBean implements MetricsService {
  private final List<MetricSource> sources = new CopyOnWriteArrayList<>();

  @Override
  public void add(MetricSource source) {
    sources.add(source);
  }

  @Override
  public long sum(Family family) {
    return sources.stream()
        .flatMap(source -> source.metrics().stream())
        .filter(metric -> metric.family() == family)
        .mapToLong(metric -> (long) metric.now())
        .sum();
  }

  @Override
  public Readings readings() {
    return Readings.of(sources);
  }
}
