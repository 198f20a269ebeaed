package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.ejb.store.Transactions.Work;

/** The removal of a ledger's oldest pages. */
final class TrimLedger implements Work<Integer, RuntimeException> {
  private final int topicId;
  private final int shard;
  private final Instant before;
  private final int limit;

  /**
   * @param limit the most pages
   */
  TrimLedger(int topicId, int shard, Instant before, int limit) {
    this.topicId = topicId;
    this.shard = shard;
    this.before = before;
    this.limit = limit;
  }

  /** Whether there is anything to remove: a look that keeps no writer waiting. */
  boolean isDue(EntityManager em) {
    List<Object[]> pages = LedgerPageEntity.oldest(em, topicId, shard, 2);
    return pages.size() == 2 && isOld(LedgerPageEntity.entries(pages.get(0)));
  }

  /** Returns how many entries were removed. */
  @Override
  public Integer run(EntityManager em) {
    List<Object[]> pages = LedgerPageEntity.oldest(em, topicId, shard, limit + 1);
    int removed = 0;
    // The last one stays: it is the newest, or one more than the limit.
    for (Object[] page : pages.subList(0, Math.max(0, pages.size() - 1))) {
      List<LedgerEntry> entries = LedgerPageEntity.entries(page);
      if (!isOld(entries)) {
        break;
      }
      LedgerPageEntity.delete(em, topicId, shard, entries.get(0).seq());
      LedgerStartEntity.put(em, topicId, shard, LedgerHead.after(last(entries)));
      removed += entries.size();
    }
    return removed;
  }

  private boolean isOld(List<LedgerEntry> entries) {
    return last(entries).msgId().createdAt().isBefore(before);
  }

  private static LedgerEntry last(List<LedgerEntry> entries) {
    return entries.get(entries.size() - 1);
  }
}
