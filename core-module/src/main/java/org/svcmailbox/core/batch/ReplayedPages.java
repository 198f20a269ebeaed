package org.svcmailbox.core.batch;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.svcmailbox.core.ledger.LedgerId;

/**
 * Ledger pages of batches from before this process that the database lacks. The ledger may have
 * belonged to another worker then, so other logs may have pages before and after them.
 */
final class ReplayedPages {
  private final Map<LedgerId, NavigableSet<Long>> firstSeqs = new HashMap<>();

  void add(Batch batch) {
    for (LedgerPage page : batch.pages().ledgers()) {
      firstSeqs.computeIfAbsent(page.ledger(), none -> new TreeSet<>()).add(page.firstSeq());
    }
  }

  void remove(Batch batch) {
    for (LedgerPage page : batch.pages().ledgers()) {
      firstSeqs.computeIfPresent(
          page.ledger(),
          (ledger, left) -> left.remove(page.firstSeq()) && left.isEmpty() ? null : left);
    }
  }

  boolean isEmpty() {
    return firstSeqs.isEmpty();
  }

  /** Whether one of these pages must be in the database before {@code page}. */
  boolean precede(LedgerPage page) {
    NavigableSet<Long> own = firstSeqs.get(page.ledger());
    return own != null && own.first() < page.firstSeq();
  }
}
