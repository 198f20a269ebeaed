package org.svcmailbox.core.message;

import java.util.Locale;

/** Why a message was quarantined. */
public enum DeadLetterReason {
  /** Its last permitted delivery was returned or ran out. */
  MAX_ATTEMPTS,
  /** A consumer rejected it. */
  REJECTED,
  /** It differs from what the sender gave. */
  INTEGRITY,
  /** The broker's message could not be decoded. */
  UNREADABLE,
  /** No client received it within its retention. */
  EXPIRED,
  /** The broker gave up on it: its deliveries kept ending with their session. */
  MAX_DELIVERY;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
