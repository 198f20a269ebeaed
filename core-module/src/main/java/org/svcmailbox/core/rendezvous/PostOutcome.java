package org.svcmailbox.core.rendezvous;

import java.time.Duration;

/** The fate of a posted message. Unless it is stored, nothing changed. */
public enum PostOutcome {
  STORED,
  /** The mailbox has its most messages, or more bytes than its share. */
  MAILBOX_FULL,
  /** The sender's address has more bytes in this door than its share. */
  SENDER_FULL,
  /** No memory or no mailbox is left. */
  FULL,
  /** The door is closing. */
  CLOSING;

  /** When to repeat it. */
  public static final Duration RETRY_AFTER = Duration.ofSeconds(5);
}
