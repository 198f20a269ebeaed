package org.svcmailbox.console.page;

import jakarta.inject.Inject;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import org.svcmailbox.core.settings.MailboxSettings;

/**
 * Tells the part inside the web server what browsers may hold of its listener: as little as a form
 * needs. A server without that part ignores it.
 */
@WebListener
public final class ConsoleIntakeSettings implements ServletContextListener {
  private static final String PREFIX = "org.svcmailbox.";
  private static final int MOST_BYTES = 16 * 1024;

  @Inject private MailboxSettings settings;

  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    MailboxSettings.Intake intake = settings.intake();
    context.setAttribute(PREFIX + "max_conns", intake.connections());
    context.setAttribute(PREFIX + "max_body", MOST_BYTES);
    context.setAttribute(PREFIX + "read_timeout", intake.readTimeout());
    context.setAttribute(PREFIX + "write_timeout", intake.writeTimeout());
    context.setAttribute(PREFIX + "idle_timeout", intake.idleTimeout());
  }
}
