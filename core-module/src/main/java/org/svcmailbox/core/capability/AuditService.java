package org.svcmailbox.core.capability;

import java.util.List;
import org.svcmailbox.core.audit.AuditFilter;
import org.svcmailbox.core.audit.AuditRow;

/** The audit export for operators. Reading the audit is not audited. */
public interface AuditService {
  int MAX_ROWS = 10_000;

  /**
   * Reads entries after {@code after}, oldest first. Paging neither misses nor repeats an entry.
   *
   * @throws DeniedException if the caller is no operator
   */
  List<AuditRow> audit(Caller operator, AuditFilter wanted, long after, int limit);
}
