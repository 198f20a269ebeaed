package org.svcmailbox.web;

import java.util.List;
import org.svcmailbox.core.audit.AuditFilter;
import org.svcmailbox.core.audit.AuditRow;
import org.svcmailbox.core.capability.AuditService;
import org.svcmailbox.core.capability.Caller;

/** An audit that a test lays out, with a memory of what was last asked. */
public final class FakeAudit implements AuditService {
  /** The last call with its arguments, but for the filter. */
  public volatile String asked = "";

  /** The filter of the last call. */
  public volatile AuditFilter filter = AuditFilter.ALL;

  /** What the next call reads. */
  public volatile List<AuditRow> rows = List.of();

  @Override
  public List<AuditRow> audit(Caller operator, AuditFilter wanted, long after, int limit) {
    asked = "audit " + after + " " + limit;
    filter = wanted;
    return rows;
  }
}
