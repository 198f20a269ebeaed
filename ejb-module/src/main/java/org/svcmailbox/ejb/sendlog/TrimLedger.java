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
    return !old(em, 1).isEmpty();
  }

  /** Returns how many entries were removed. */
  @Override
  public Integer run(EntityManager em) {
    List<List<LedgerEntry>> old = old(em, limit);
    if (!old.isEmpty()) {
      List<LedgerEntry> newest = old.get(old.size() - 1);
      LedgerPageEntity.deleteUpTo(em, topicId, shard, newest.get(0).seq());
      LedgerStartEntity.put(em, topicId, shard, LedgerHead.after(last(newest)));
    }
    return old.stream().mapToInt(List::size).sum();
  }

  /**
   * The oldest pages that are old enough, at most {@code most}, and never the ledger's last one.
   */
  private List<List<LedgerEntry>> old(EntityManager em, int most) {
    List<List<LedgerEntry>> pages = LedgerPageEntity.from(em, topicId, shard, 0, most + 1);
    return pages.stream().limit(Math.max(0, pages.size() - 1)).takeWhile(this::isOld).toList();
  }

  private boolean isOld(List<LedgerEntry> entries) {
    return last(entries).msgId().createdAt().isBefore(before);
  }

  private static LedgerEntry last(List<LedgerEntry> entries) {
    return entries.get(entries.size() - 1);
  }
}
