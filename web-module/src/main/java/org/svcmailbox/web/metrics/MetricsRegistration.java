package org.svcmailbox.web.metrics;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.inject.Inject;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.event.EventStreams;
import org.svcmailbox.web.problem.Funnel;

/**
 * Adds what the doors have to tell to what everybody else has. Not on the thread that deploys: a
 * call of a bean waits for the beans that start with the deployment, and when one of these fails,
 * it waits for minutes while nobody is told why.
 */
@WebListener
public final class MetricsRegistration implements ServletContextListener {
  @Inject private MetricsService metrics;
  @Inject private MailboxSettings settings;
  @Inject private EventStreams streams;
  @Resource private ManagedExecutorService threads;

  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    threads.execute(() -> add(context));
  }

  private void add(ServletContext context) {
    metrics.add(Funnel.refusals());
    metrics.add(RequestTimer.times());
    metrics.add(streams);
    metrics.add(new ListenerMetrics(context, settings.intake().connections()));
  }
}
