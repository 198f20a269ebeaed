package org.svcmailbox.console.metrics;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.inject.Inject;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import java.util.EnumSet;
import org.svcmailbox.core.metrics.MetricsService;

/** Registers the filter that counts refusals, and its metrics. */
@WebListener
public final class ConsoleMetrics implements ServletContextListener {
  @Inject private MetricsService metrics;
  @Resource private ManagedExecutorService threads;

  @Override
  public void contextInitialized(ServletContextEvent event) {
    ConsoleRefusals refusals = new ConsoleRefusals();
    FilterRegistration.Dynamic filter = event.getServletContext().addFilter("refusals", refusals);
    filter.setAsyncSupported(true);
    filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
    // The deploying thread would deadlock: the call waits for the start-up beans.
    threads.execute(() -> metrics.add(refusals));
  }
}
