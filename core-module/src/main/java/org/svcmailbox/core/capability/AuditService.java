package org.svcmailbox.core.capability;

import java.util.List;
import org.svcmailbox.core.audit.AuditFilter;
import org.svcmailbox.core.audit.AuditRow;

/** The audit as operators export it. Reading it is not audited. */
public interface AuditService {
  /** The most entries of one call. */
  int MAX_ROWS = 10_000;

  /**
   * Reads entries, oldest first. Whoever goes on after the last one misses none and sees none
   * twice.
   *
   * @param after the number of the last entry one has; 0 for none
   * @param limit at most so many, 1 to {@link #MAX_ROWS}
   * @throws DeniedException when the caller is no operator
   * @throws org.svcmailbox.core.problem.UnavailableException when the database is away
   */
  List<AuditRow> audit(Caller operator, AuditFilter wanted, long after, int limit);
}
