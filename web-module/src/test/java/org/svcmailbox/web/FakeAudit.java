package org.svcmailbox.web;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.svcmailbox.core.audit.AuditFilter;
import org.svcmailbox.core.audit.AuditRow;
import org.svcmailbox.core.capability.AuditService;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.problem.UnavailableException;

/** An audit with fixed rows that records the last call. */
public final class FakeAudit implements AuditService {
  /** The last call with its arguments, except the filter. */
  public volatile String asked = "";

  public volatile AuditFilter filter = AuditFilter.ALL;

  public volatile List<AuditRow> rows = List.of();

  /** Reads after a larger number fail. */
  public volatile long readable = Long.MAX_VALUE;

  /** The limits of all calls, in order. */
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
