package org.svcmailbox.core.audit;

import java.time.Instant;

/**
 * One operator action.
 *
 * @param action a constant word such as {@code capability.mint}
 * @param note never secret
 */
public record AuditEntry(
    Instant at, Actor actor, String address, String action, String subject, String note) {
  /** Longer notes are cut to this many characters. */
  public static final int MAX_NOTE = 4096;

  public AuditEntry {
    note = note.length() > MAX_NOTE ? note.substring(0, MAX_NOTE) : note;
  }
}
