package org.svcmailbox.ejb.batch;

import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.ejb.store.Database;
import org.svcmailbox.ejb.store.Transactions.Work;

/** Removes a ledger's oldest pages. */
final class TrimLedger implements Work<Integer, RuntimeException> {
  private final LedgerId ledger;
  private final Instant before;
  private final int limit;
  private final Database database;

  /**
   * @param limit the most pages to remove
   */
  TrimLedger(LedgerId ledger, Instant before, int limit, Database database) {
    this.ledger = ledger;
    this.before = before;
    this.limit = limit;
    this.database = database;
  }

  /** Whether there is anything to remove. The check blocks no writer. */
  boolean isDue(EntityManager em) {
    return !old(em, 1).isEmpty();
  }

  /** Returns the number of entries removed. */
  @Override
  public Integer run(EntityManager em) {
    // Two nodes may trim at once: the row's lock has the later one find what the other left.
    AppliedBatchEntity.ledgersShrank(em, 0);
    List<PageEnd> old = old(em, limit);
    if (!old.isEmpty()) {
      PageEnd newest = old.get(old.size() - 1);
      LedgerPageEntity.deleteUpTo(em, ledger, newest.firstSeq());
      LedgerStartEntity.put(em, ledger, LedgerHead.after(newest.last()));
      AppliedBatchEntity.ledgersShrank(
          em, old.stream().mapToLong(page -> database.rowBytes(page.size())).sum());
    }
    return old.stream().mapToInt(PageEnd::entries).sum();
  }

  /**
   * The oldest pages past their retention, at most {@code most} and never the ledger's last one.
   */
  private List<PageEnd> old(EntityManager em, int most) {
    List<PageEnd> pages = LedgerPageEntity.oldest(em, ledger, most + 1);
    return pages.stream().limit(Math.max(0, pages.size() - 1)).takeWhile(this::isOld).toList();
  }

  private boolean isOld(PageEnd page) {
    return page.last().msgId().createdAt().isBefore(before);
  }
}
