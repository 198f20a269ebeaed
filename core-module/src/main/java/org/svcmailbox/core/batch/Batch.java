package org.svcmailbox.core.batch;

/**
 * The keys and ledger entries of one worker transaction.
 *
 * @param pages the keys that it takes and its ledger entries
 */
public record Batch(WorkerId worker, BatchId id, BatchPages pages) {
  /**
   * The most rows in a batch. With more, its record could reach the broker's limit for large
   * messages.
   */
  public static final int MAX_ROWS = 512;
}
