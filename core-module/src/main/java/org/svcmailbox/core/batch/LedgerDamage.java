package org.svcmailbox.core.batch;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;

/**
 * A ledger whose head contradicts its last page, because pages are missing or belong to another
 * history.
 *
 * @param head the end of the ledger according to the database
 * @param pages the end of its last page
 */
record LedgerDamage(LedgerId ledger, LedgerHead head, LedgerHead pages) {
  /** Ledgers whose heads differ from the ends of their last pages and are not before them. */
  static List<LedgerDamage> of(Map<LedgerId, LedgerHead> heads, Map<LedgerId, LedgerHead> ends) {
    return ends.entrySet().stream()
        .map(end -> new LedgerDamage(end.getKey(), head(heads, end.getKey()), end.getValue()))
        .filter(one -> one.head.seq() >= one.pages.seq() && !one.head.equals(one.pages))
        .sorted(
            Comparator.comparingInt((LedgerDamage one) -> one.ledger.topicId())
                .thenComparingInt(one -> one.ledger.shard()))
        .toList();
  }

  private static LedgerHead head(Map<LedgerId, LedgerHead> heads, LedgerId ledger) {
    return heads.getOrDefault(ledger, LedgerHead.EMPTY);
  }

  /** For operators. */
  String detail() {
    return "the ledger of topic id %d, shard %d ends with number %d, its last page with %d"
        .formatted(ledger.topicId(), ledger.shard(), head.seq(), pages.seq());
  }
}
