package org.svcmailbox.core.delivery;

import java.util.Locale;

/** Why a message was quarantined. */
public enum DeadLetterReason {
  /** Its last permitted delivery was refused or ran out. */
  MAX_ATTEMPTS,
  /** A consumer rejected it. */
  REJECTED,
  /** Its payload or fields are not what the sender gave. */
  INTEGRITY,
  /** The broker's message could not be decoded. */
  UNREADABLE,
  /** Nobody took it within its retention. */
  EXPIRED,
  /** The broker gave up on it: its deliveries kept ending with their session. */
  MAX_DELIVERY;

  /** The form clients and metrics see. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
