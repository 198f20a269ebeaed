package org.svcmailbox.core.audit;

/** Write access to the audit; throws {@code UnavailableException} when the database is away. */
@FunctionalInterface
public interface AuditLog {
  /** Writes an entry on its own; on disk when this returns. */
  void note(AuditEntry entry);
}
