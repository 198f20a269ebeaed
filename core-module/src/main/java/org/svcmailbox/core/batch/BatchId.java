package org.svcmailbox.core.batch;

/**
 * The id of a worker's batch.
 *
 * @param number counts up from 1 per worker; 0 if there is no batch
 * @param stamp random and new in each life of a worker, so that two histories with the same numbers
 *     differ. 0 in batches of versions before ADR 48
 */
public record BatchId(long number, long stamp) {
  /** The last batch of a worker that never had one. */
  public static final BatchId NONE = new BatchId(0, 0);

  /** Checks the number. */
  public BatchId {
    if (number < 0) {
      throw new IllegalArgumentException("batch " + number);
    }
  }
}
