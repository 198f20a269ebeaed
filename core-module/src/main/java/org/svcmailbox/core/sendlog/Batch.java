package org.svcmailbox.core.sendlog;

/**
 * The addition of one transaction of a worker to the send log.
 *
 * @param pages the keys it takes and its entries of ledgers
 */
public record Batch(int worker, BatchId id, BatchPages pages) {
  /** The most rows of a batch; its record must stay below the broker's limit for large messages. */
  public static final int MAX_ROWS = 512;
}
