package org.svcmailbox.core.rendezvous;

import java.time.Duration;

/** The outcome of a POST. Only {@code STORED} changes anything. */
public enum PostOutcome {
  STORED,
  /** The mailbox has the most messages it may have, or its share of bytes. */
  MAILBOX_FULL,
  /** The sender has its share of bytes. */
  SENDER_FULL,
  /** No memory or no mailbox is left. */
  FULL,
  CLOSING;

  /** The pause before a retry. */
  public static final Duration RETRY_AFTER = Duration.ofSeconds(5);
}
