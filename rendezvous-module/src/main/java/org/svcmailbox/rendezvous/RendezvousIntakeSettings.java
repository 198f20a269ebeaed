package org.svcmailbox.rendezvous;

import jakarta.inject.Inject;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import java.time.Duration;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.RendezvousSettings;

/**
 * Tells the part inside the web server what clients may hold of this port's listener. A server
 * without that part ignores it.
 */
@WebListener
public final class RendezvousIntakeSettings implements ServletContextListener {
  private static final String PREFIX = "org.svcmailbox.";
  static final String MAX_CONNECTIONS = PREFIX + "max_conns";

  /** With the time that 64 KiB may take, a client that takes nothing has six seconds. */
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** Longer than a GET may wait, so that a client that polls keeps its connection. */
  private static final Duration IDLE = Duration.ofSeconds(60);

  @Inject private MailboxSettings settings;

  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    RendezvousSettings door = settings.rendezvous();
    context.setAttribute(MAX_CONNECTIONS, door.listener().maxConnections());
    context.setAttribute(PREFIX + "max_body", door.mailboxes().maxMessageSize());
    context.setAttribute(PREFIX + "read_timeout", TIMEOUT);
    context.setAttribute(PREFIX + "write_timeout", TIMEOUT);
    context.setAttribute(PREFIX + "idle_timeout", IDLE);
  }
}
