package org.svcmailbox.core.audit;

import java.time.Instant;

/**
 * One thing an operator did.
 *
 * @param at by the wall clock
 * @param actor whose capability it was done with, as {@code key:nonce}; {@code service} for what
 *     the service does by itself
 * @param address where the call came from; empty when that is not known
 * @param action a constant word, such as {@code capability.mint}
 * @param subject what it was done to, such as the nonce of a capability
 * @param note what else there is to know; never a secret
 */
public record AuditEntry(
    Instant at, String actor, String address, String action, String subject, String note) {
  /** The longest note, in characters; what is longer is cut. */
  public static final int MAX_NOTE = 4096;

  /** The actor of what the service does by itself. */
  public static final String SERVICE = "service";

  public AuditEntry {
    note = note.length() > MAX_NOTE ? note.substring(0, MAX_NOTE) : note;
  }
}
