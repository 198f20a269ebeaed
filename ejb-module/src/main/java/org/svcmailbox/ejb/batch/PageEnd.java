package org.svcmailbox.ejb.batch;

import org.svcmailbox.core.batch.LedgerPage;
import org.svcmailbox.core.ledger.LedgerEntry;

/**
 * The facts that the removal of a {@link LedgerPage} needs.
 *
 * @param size bytes of its entries
 * @param last its last entry
 */
record PageEnd(long firstSeq, int size, LedgerEntry last) {
  /**
   * Decodes stored columns.
   *
   * @param last the bytes of the last entry
   */
  static PageEnd of(long firstSeq, int size, byte[] last) {
    long lastSeq = firstSeq + size / LedgerPage.ENTRY_BYTES - 1;
    return new PageEnd(firstSeq, size, LedgerPage.entries(lastSeq, last).get(0));
  }

  int entries() {
    return size / LedgerPage.ENTRY_BYTES;
  }
}
