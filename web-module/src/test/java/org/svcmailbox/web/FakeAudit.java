package org.svcmailbox.web;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.svcmailbox.core.audit.AuditFilter;
import org.svcmailbox.core.audit.AuditRow;
import org.svcmailbox.core.capability.AuditService;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.problem.UnavailableException;

/** An audit that a test lays out, with a memory of what was last asked. */
public final class FakeAudit implements AuditService {
  /** The last call with its arguments, but for the filter. */
  public volatile String asked = "";

  /** The filter of the last call. */
  public volatile AuditFilter filter = AuditFilter.ALL;

  /** What there is to read. */
  public volatile List<AuditRow> rows = List.of();

  /** The last number behind which reading goes well. */
  public volatile long readable = Long.MAX_VALUE;

  /** What calls asked for, in their order. */
  public final List<Integer> limits = new CopyOnWriteArrayList<>();

  @Override
  public List<AuditRow> audit(Caller operator, AuditFilter wanted, long after, int limit) {
    asked = "audit " + after + " " + limit;
    filter = wanted;
    limits.add(limit);
    if (after > readable) {
      throw new UnavailableException("the database is away");
    }
    return rows.stream().filter(row -> row.no() > after).limit(limit).toList();
  }
}
