package org.svcmailbox.core.deadletter;

import java.util.Locale;

/** The verdict of a topic's ledger on a dead letter. */
public enum Evidence {
  /** Payload and fields match their hashes, which the ledger contains. */
  INTACT,
  /** The letter or the ledger was changed. */
  ALTERED,
  /** The ledger has later entries but not the letter's. */
  NOT_FOUND,
  /** Its entry was trimmed from the ledger. */
  TRIMMED,
  /**
   * The letter is unreadable, belongs to an earlier topic of this name, or lies beyond the ledger's
   * end.
   */
  UNKNOWN;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
