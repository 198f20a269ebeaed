package org.svcmailbox.core.batch;

/**
 * The keys and ledger entries of one transaction of a worker.
 *
 * @param pages the keys it takes and its entries of ledgers
 */
public record Batch(WorkerId worker, BatchId id, BatchPages pages) {
  /** The most rows of a batch; its record must stay below the broker's limit for large messages. */
  public static final int MAX_ROWS = 512;
}
