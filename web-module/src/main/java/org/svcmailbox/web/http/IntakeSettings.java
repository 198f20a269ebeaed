package org.svcmailbox.web.http;

import jakarta.inject.Inject;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import java.net.InetAddress;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.BodyOwners;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.capability.Authentication;
import org.svcmailbox.web.json.BodyLimit;

/**
 * Publishes the listener's limits, and the functions that find a body's owner, as context
 * attributes, because the Servlet API has no setting for them. The Undertow extension reads them;
 * other servers ignore them.
 */
@WebListener
public final class IntakeSettings implements ServletContextListener {
  private static final String PREFIX = "org.svcmailbox.";

  @Inject private MailboxSettings settings;
  @Inject private BodyLimit bodies;
  @Inject private CapabilityService capabilities;

  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    MailboxSettings.Intake intake = settings.intake();
    context.setAttribute(PREFIX + "max_conns", intake.connections());
    context.setAttribute(PREFIX + "max_conns_per_address", intake.perAddress());
    Predicate<InetAddress> exempt = intake::isProxy;
    context.setAttribute(PREFIX + "exempt_addresses", exempt);
    context.setAttribute(PREFIX + "max_body", bodies.received());
    context.setAttribute(PREFIX + "fair_share", settings.bounds().fairShare().percent());
    context.setAttribute(PREFIX + "read_timeout", intake.readTimeout());
    context.setAttribute(PREFIX + "write_timeout", intake.writeTimeout());
    context.setAttribute(PREFIX + "idle_timeout", intake.idleTimeout());
    context.setAttribute(PREFIX + "body_owner_known", owners(BodyOwners::known));
    context.setAttribute(PREFIX + "body_owner", owners(BodyOwners::find));
  }

  private interface Question {
    @Nullable String ask(BodyOwners owners, @Nullable String token);
  }

  /**
   * A function of a path and an {@code Authorization} header. It ignores the path, because every
   * path with a body needs a capability.
   */
  private BiFunction<String, @Nullable String, @Nullable String> owners(Question question) {
    return (path, header) ->
        question.ask(capabilities.bodyOwners(), Authentication.bearerToken(header));
  }
}
