package org.svcmailbox.rendezvous;

import jakarta.inject.Inject;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.rendezvous.RendezvousService;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.RendezvousSettings;

/**
 * Publishes the limits of this port's listener to the Undertow extension. Other servers ignore
 * them.
 */
@WebListener
public final class RendezvousIntakeSettings implements ServletContextListener {
  private static final String PREFIX = "org.svcmailbox.";
  static final String MAX_CONNECTIONS = PREFIX + "max_conns";

  /** A client that reads nothing has six seconds: this and one second for 64 KiB. */
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** Longer than the longest wait of a GET, so that polling clients keep their connection. */
  private static final Duration IDLE = Duration.ofSeconds(60);

  @Inject private MailboxSettings settings;
  @Inject private RendezvousService service;

  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    RendezvousSettings rendezvous = settings.rendezvous();
    context.setAttribute(MAX_CONNECTIONS, rendezvous.listener().maxConnections());
    // No address may have all connections. A proxy's clients are told apart by their requests.
    context.setAttribute(
        PREFIX + "max_conns_per_address",
        Math.max(1, rendezvous.listener().maxConnections() / 4 * 3));
    Predicate<InetAddress> exempt = settings.intake()::isProxy;
    context.setAttribute(PREFIX + "exempt_addresses", exempt);
    context.setAttribute(PREFIX + "max_body", rendezvous.mailboxes().maxMessageSize());
    context.setAttribute(PREFIX + "fair_share", settings.bounds().fairShare().percent());
    context.setAttribute(PREFIX + "read_timeout", TIMEOUT);
    context.setAttribute(PREFIX + "write_timeout", TIMEOUT);
    context.setAttribute(PREFIX + "idle_timeout", IDLE);
    MailboxOwners owners = new MailboxOwners(service);
    BiFunction<String, @Nullable String, @Nullable String> known = owners::known;
    BiFunction<String, @Nullable String, @Nullable String> find = owners::find;
    context.setAttribute(PREFIX + "body_owner_known", known);
    context.setAttribute(PREFIX + "body_owner", find);
  }
}
