package org.svcmailbox.client.testing;

import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.spi.AbstractMailbox;

/**
 * A mailbox that drops every message and never delivers one. It checks arguments, and a receive
 * waits, as on any mailbox.
 *
 * @param <T> the bodies
 * @param <R> the bodies of replies
 */
public final class NullMailbox<T, R> extends AbstractMailbox<T, R> {
  /** A mailbox whose receives wait by the machine's clock. */
  public NullMailbox(String name) {
    this(name, MailboxClock.system());
  }

  /** A mailbox whose receives wait by this clock. */
  public NullMailbox(String name, MailboxClock clock) {
    super(
        name, new NullDriver(clock), Codecs.reference(), Codecs.reference(), MailboxResolver.of());
  }
}
