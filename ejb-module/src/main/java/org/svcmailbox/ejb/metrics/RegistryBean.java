package org.svcmailbox.ejb.metrics;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.EJB;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.time.Duration;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Threads;
import org.svcmailbox.core.supervision.Turns;

/** Feeds the server's registry of metrics, if the server has one (ADR 121). */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
public class RegistryBean {
  static final String FEEDER = "mailbox-metrics";

  /** The longest time that a counter in the registry lags behind. */
  static final Duration INTERVAL = Duration.ofSeconds(1);

  private static final Duration LAST_TURN = Duration.ofSeconds(1);

  @EJB private MetricsService metrics;
  @EJB private Threads supervision;

  @Inject private Instance<MetricRegistry> registry;

  @Resource private ManagedThreadFactory threads;

  private @Nullable RegistryFeed feed;
  private @Nullable SupervisedThread feeder;

  @PostConstruct
  void begin() {
    if (registry.isResolvable()) {
      RegistryFeed begun = new RegistryFeed(metrics::readings, registry.get(), System::nanoTime);
      feed = begun;
      feeder =
          supervision.start(FEEDER, new Tasks("metrics"), threads, new Turns(() -> turn(begun)));
    }
  }

  private static long turn(RegistryFeed feed) {
    feed.turn();
    return INTERVAL.toNanos();
  }

  @PreDestroy
  void end() {
    if (feeder != null) {
      feeder.end(LAST_TURN);
    }
    if (feed != null) {
      feed.close();
    }
  }
}
