package org.svcmailbox.web.http;

import jakarta.inject.Inject;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.json.BodyLimit;

/**
 * Tells the part inside the web server what clients may hold of its listener. The Servlet API has
 * no word for that, so it is left in the context's attributes; a server without that part ignores
 * it.
 */
@WebListener
public final class IntakeSettings implements ServletContextListener {
  private static final String PREFIX = "org.svcmailbox.";

  @Inject private MailboxSettings settings;
  @Inject private BodyLimit bodies;

  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    MailboxSettings.Intake intake = settings.intake();
    context.setAttribute(PREFIX + "max_conns", intake.connections());
    context.setAttribute(PREFIX + "max_body", bodies.bytes());
    context.setAttribute(PREFIX + "read_timeout", intake.readTimeout());
    context.setAttribute(PREFIX + "write_timeout", intake.writeTimeout());
    context.setAttribute(PREFIX + "idle_timeout", intake.idleTimeout());
  }
}
