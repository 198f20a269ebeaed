package org.svcmailbox.web.metrics;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.inject.Inject;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import org.svcmailbox.core.metrics.Build;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.event.EventStreams;
import org.svcmailbox.web.problem.Funnel;
import org.svcmailbox.web.servlet.LeasedBytes;

/**
 * Registers the metrics of this module. It runs on an executor: on the deploying thread, a bean
 * call would wait for start-up beans, and for minutes if one of them failed.
 */
@WebListener
public final class MetricsRegistration implements ServletContextListener {
  @Inject private MetricsService metrics;
  @Inject private MailboxSettings settings;
  @Inject private EventStreams streams;
  @Inject private LeasedBytes leased;
  @Resource private ManagedExecutorService threads;

  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    threads.execute(() -> add(context));
  }

  private void add(ServletContext context) {
    metrics.add(() -> Build.metrics(context.getServerInfo()));
    metrics.add(Funnel.refusals());
    metrics.add(RequestTimer.times());
    metrics.add(streams);
    metrics.add(leased);
    metrics.add(new ListenerMetrics(context, settings.intake().connections()));
  }
}
