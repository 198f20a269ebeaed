package org.svcmailbox.web.door;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.capability.Authentication;
import org.svcmailbox.web.json.RequestBodies;
import org.svcmailbox.web.plain.Plain;
import org.svcmailbox.web.trace.Spans;

/** What every door needs. */
@Singleton
public final class Doorway {
  private static final Duration PATIENCE = RecvRequest.MAX_WAIT.multipliedBy(2);

  private final Authentication authentication;
  private final RequestBodies bodies;
  private final MailboxService mailbox;
  private final MailboxSettings settings;
  private final Spans spans;
  private final Duration patience;

  @Inject
  Doorway(
      Authentication authentication,
      RequestBodies bodies,
      @Plain MailboxService mailbox,
      MailboxSettings settings) {
    this(authentication, bodies, mailbox, settings, Spans.ofServer(), PATIENCE);
  }

  /**
   * With what the container would give.
   *
   * @param patience after this a caller is told that the outcome is unknown, whatever keeps it
   */
  public Doorway(
      Authentication authentication,
      RequestBodies bodies,
      MailboxService mailbox,
      MailboxSettings settings,
      Spans spans,
      Duration patience) {
    this.authentication = authentication;
    this.bodies = bodies;
    this.mailbox = mailbox;
    this.settings = settings;
    this.spans = spans;
    this.patience = patience;
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

  Spans spans() {
    return spans;
  }

  Duration patience() {
    return patience;
  }
}
