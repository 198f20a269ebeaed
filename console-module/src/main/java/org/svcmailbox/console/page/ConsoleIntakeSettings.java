package org.svcmailbox.console.page;

import jakarta.inject.Inject;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import java.net.InetAddress;
import java.util.function.Predicate;
import org.svcmailbox.core.settings.MailboxSettings;

/**
 * Publishes connection and body limits to the server's listener as context attributes. Bodies are
 * limited to the size of a form. Servers without our listener extension ignore the attributes.
 */
@WebListener
public final class ConsoleIntakeSettings implements ServletContextListener {
  private static final String PREFIX = "org.svcmailbox.";
  private static final int MAX_BODY_BYTES = 16 * 1024;

  @Inject private MailboxSettings settings;

  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    MailboxSettings.Intake intake = settings.intake();
    context.setAttribute(PREFIX + "max_conns", intake.connections());
    context.setAttribute(PREFIX + "max_conns_per_address", intake.perAddress());
    Predicate<InetAddress> exempt = intake::isProxy;
    context.setAttribute(PREFIX + "exempt_addresses", exempt);
    context.setAttribute(PREFIX + "max_body", MAX_BODY_BYTES);
    context.setAttribute(PREFIX + "fair_share", settings.bounds().fairShare().percent());
    context.setAttribute(PREFIX + "read_timeout", intake.readTimeout());
    context.setAttribute(PREFIX + "write_timeout", intake.writeTimeout());
    context.setAttribute(PREFIX + "idle_timeout", intake.idleTimeout());
  }
}
