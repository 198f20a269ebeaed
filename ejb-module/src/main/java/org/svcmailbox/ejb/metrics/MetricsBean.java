package org.svcmailbox.ejb.metrics;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Local;
import jakarta.ejb.Singleton;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.MetricsService;

/**
 * Feeds all metrics into the registry that the server injects, so they also appear in the server's
 * own {@code /metrics}.
 */
@Singleton
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
@Local(MetricsService.class)
public class MetricsBean implements MetricsService {
  private final List<MetricSource> sources = new CopyOnWriteArrayList<>();

  @Inject private MetricRegistry registry;

  private RegistryFeed feed;

  @PostConstruct
  void open() {
    feed = new RegistryFeed(registry);
  }

  @PreDestroy
  void close() {
    feed.close();
  }

  @Override
  public void add(MetricSource source) {
    sources.add(source);
  }

  @Override
  public void refresh() {
    feed.refresh(sources.stream().flatMap(source -> source.metrics().stream()).toList());
  }

  @Override
  public List<Distribution> distributions() {
    return sources.stream().flatMap(source -> source.distributions().stream()).toList();
  }
}
