package org.svcmailbox.core.message;

import java.util.Locale;

/** Why a message was quarantined. */
public enum DeadLetterReason {
  /** Its last permitted delivery was nacked, or that lease expired. */
  MAX_ATTEMPTS,
  /** A consumer rejected it. */
  REJECTED,
  /** It differs from what the sender sent. */
  INTEGRITY,
  /** The broker's message could not be decoded. */
  UNREADABLE,
  /** No client received it within its retention. */
  EXPIRED,
  /** The broker gave up on it, because its deliveries kept ending with their session. */
  MAX_DELIVERY;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
