package org.svcmailbox.core.audit;

/** Where the audit is kept. */
@FunctionalInterface
public interface AuditLog {
  /**
   * Notes something by itself; on disk when it returns.
   *
   * @throws org.svcmailbox.core.problem.UnavailableException when the database is away
   */
  void note(AuditEntry entry);
}
