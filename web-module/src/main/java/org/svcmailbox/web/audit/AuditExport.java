package org.svcmailbox.web.audit;

import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.svcmailbox.core.audit.AuditRow;
import org.svcmailbox.core.problem.MailboxException;

/**
 * Streams audit entries to a client and holds one page in memory. If a later page cannot be read,
 * the answer ends after a complete line and the client continues from there.
 */
final class AuditExport implements StreamingOutput {
  /** Entries in memory; with notes of 4,096 characters, a page takes some megabytes. */
  static final int PAGE = 500;

  private static final Logger LOG = System.getLogger(AuditExport.class.getName());

  /** Reads entries after a number. */
  interface Source {
    List<AuditRow> read(long after, int limit);
  }

  private final Source source;
  private List<AuditRow> page;
  private int left;

  private AuditExport(Source source, List<AuditRow> page, int left) {
    this.source = source;
    this.page = page;
    this.left = left;
  }

  /** Reads the first page, so that a failure still becomes a problem. */
  static AuditExport begin(Source source, long after, int limit) {
    return new AuditExport(source, source.read(after, Math.min(limit, PAGE)), limit);
  }

  @Override
  public void write(OutputStream output) throws IOException {
    while (!page.isEmpty()) {
      AuditLines.write(page, output);
      left -= page.size();
      boolean hasMore = page.size() == PAGE && left > 0;
      page = hasMore ? next(page.get(PAGE - 1).no()) : List.of();
    }
  }

  private List<AuditRow> next(long after) {
    try {
      return source.read(after, Math.min(left, PAGE));
    } catch (MailboxException e) {
      LOG.log(Level.WARNING, "An audit export ended early, after entry " + after, e);
      return List.of();
    }
  }
}
