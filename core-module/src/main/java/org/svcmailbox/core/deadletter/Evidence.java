package org.svcmailbox.core.deadletter;

import java.util.Locale;

/** The verdict of a topic's ledger on a dead letter. */
public enum Evidence {
  /** The letter is what was sent: payload and fields have their hashes, the ledger has these. */
  INTACT,
  /** Something of it is not what was sent, or the ledger is not what was written. */
  ALTERED,
  /** The ledger has what came after it, and not the letter. */
  NOT_FOUND,
  /** Its entry was older than the ledger's retention. */
  TRIMMED,
  /**
   * Nothing can be said: the letter cannot be read, or it is of an earlier topic of this name, or
   * the ledger ends before it.
   */
  UNKNOWN;

  /** The form clients see. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
