package org.svcmailbox.core.audit;

import java.util.List;

/** Read access to the audit; throws {@code UnavailableException} when the database is away. */
@FunctionalInterface
public interface AuditHistory {
  /**
   * At most {@code limit} entries after number {@code after}, in commit order. Paging from the last
   * number seen misses no entry, even while others are written.
   */
  List<AuditRow> audit(AuditFilter wanted, long after, int limit);
}
