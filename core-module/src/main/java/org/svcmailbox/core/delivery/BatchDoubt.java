package org.svcmailbox.core.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.svcmailbox.core.delivery.StoreMismatch.Kind;

/**
 * Settles the batches of a worker that only one of the two stores has. A crash leaves at most one,
 * in the database (ADR 3); any other difference means that a store was replaced by an older one
 * (ADR 31).
 */
final class BatchDoubt {
  private static final Logger LOG = System.getLogger(BatchDoubt.class.getName());

  private final SendLog log;
  private final StoreMismatch mismatch;

  BatchDoubt(SendLog log, StoreMismatch mismatch) {
    this.log = log;
    this.mismatch = mismatch;
  }

  /**
   * Settles it, before anything is built on top.
   *
   * @param logged the worker's last batch that the broker has
   * @return the worker's highest batch number in either store
   */
  long settle(int worker, long logged) {
    long reserved = log.lastBatch(worker).orElse(0L);
    if (reserved < logged) {
      adopt(worker, reserved, logged);
    } else if (reserved > logged) {
      checkConfirmed(worker, logged);
      withdraw(worker, reserved);
    }
    log.confirm(worker, logged);
    return Math.max(reserved, logged);
  }

  private void adopt(int worker, long reserved, long logged) {
    log.adopt(worker, logged);
    mismatch.found(
        Kind.DATABASE_OLDER,
        "the database is older than the broker; it lacks batches %d to %d of worker %d"
            .formatted(reserved + 1, logged, worker));
  }

  private void checkConfirmed(int worker, long logged) {
    long confirmed = log.confirmedBatch(worker);
    if (confirmed > logged) {
      mismatch.found(
          Kind.BROKER_OLDER,
          "the broker is older than the database; it lacks batches %d to %d of worker %d"
              .formatted(logged + 1, confirmed, worker));
    }
  }

  private void withdraw(int worker, long reserved) {
    LOG.log(
        Level.INFO,
        "Batch {0} of worker {1} was reserved and never enqueued; withdrawn",
        reserved,
        worker);
    log.withdraw(worker, reserved);
  }
}
