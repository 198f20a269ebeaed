package org.svcmailbox.web.metrics;

import jakarta.inject.Inject;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.problem.Funnel;

/** Adds what the doors have to tell to what everybody else has. */
@WebListener
public final class DoorMetrics implements ServletContextListener {
  @Inject private MetricsService metrics;
  @Inject private MailboxSettings settings;

  @Override
  public void contextInitialized(ServletContextEvent event) {
    metrics.add(Funnel.refusals());
    metrics.add(RequestTimer.times());
    metrics.add(new ListenerMetrics(event.getServletContext(), settings.intake().connections()));
  }
}
