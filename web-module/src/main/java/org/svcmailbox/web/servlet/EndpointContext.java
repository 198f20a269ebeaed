package org.svcmailbox.web.servlet;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.trace.CallSpan;
import org.svcmailbox.web.capability.Authentication;
import org.svcmailbox.web.json.RequestBodies;
import org.svcmailbox.web.problem.Call;
import org.svcmailbox.web.trace.Spans;

/** Dependencies of every message servlet. */
@Singleton
public final class EndpointContext {
  private static final Duration OUTCOME_TIMEOUT = RecvRequest.MAX_WAIT.multipliedBy(2);

  private final Authentication authentication;
  private final RequestBodies bodies;
  private final MailboxService mailbox;
  private final MailboxSettings settings;
  private final LeasedBytes leased;
  private final Spans spans;
  private final Duration timeout;

  @Inject
  EndpointContext(
      Authentication authentication,
      RequestBodies bodies,
      MailboxService mailbox,
      MailboxSettings settings,
      LeasedBytes leased) {
    this(authentication, bodies, mailbox, settings, leased, Spans.ofServer(), OUTCOME_TIMEOUT);
  }

  /**
   * @param timeout the time after which a caller gets 503 and the outcome stays unknown
   */
  public EndpointContext(
      Authentication authentication,
      RequestBodies bodies,
      MailboxService mailbox,
      MailboxSettings settings,
      LeasedBytes leased,
      Spans spans,
      Duration timeout) {
    this.authentication = authentication;
    this.bodies = bodies;
    this.mailbox = mailbox;
    this.settings = settings;
    this.leased = leased;
    this.spans = spans;
    this.timeout = timeout;
  }

  /** Serves a request that has no span; the endpoint's exceptions become problems. */
  public void serve(
      HttpServletRequest http, HttpServletResponse response, Call call, Consumer<Exchange> endpoint)
      throws IOException {
    new Exchange(http, response, call, CallSpan.NONE, this).serve(endpoint);
  }

  Authentication authentication() {
    return authentication;
  }

  RequestBodies bodies() {
    return bodies;
  }

  MailboxService mailbox() {
    return mailbox;
  }

  MailboxSettings settings() {
    return settings;
  }

  LeasedBytes leased() {
    return leased;
  }

  Spans spans() {
    return spans;
  }

  Duration timeout() {
    return timeout;
  }
}
