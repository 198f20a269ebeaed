package org.svcmailbox.core.audit;

import java.util.List;

/** The audit as it is read. */
@FunctionalInterface
public interface AuditHistory {
  /**
   * Entries in the order of their numbers, which is the order they came to disk in: whoever goes on
   * after the last one misses none, also while others are being written.
   *
   * @param after the number behind which to begin; 0 for the very first
   * @param limit at most so many, at least 1
   * @throws org.svcmailbox.core.problem.UnavailableException when the database is away
   */
  List<AuditRow> audit(AuditFilter wanted, long after, int limit);
}
