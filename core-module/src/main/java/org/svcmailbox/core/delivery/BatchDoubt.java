package org.svcmailbox.core.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.svcmailbox.core.delivery.BatchStanding.Verdict;

/** Settles the batches of a worker that only one of the two stores has. */
final class BatchDoubt {
  private static final Logger LOG = System.getLogger(BatchDoubt.class.getName());

  private final SendLog log;
  private final StoreMismatch mismatch;

  BatchDoubt(SendLog log, StoreMismatch mismatch) {
    this.log = log;
    this.mismatch = mismatch;
  }

  /** Compares the stores; nothing is changed. */
  BatchStanding standing(int worker, BatchId logged) {
    return new BatchStanding(worker, log.lastBatch(worker), logged);
  }

  /**
   * Settles what a running worker meets, before anything is built on top.
   *
   * @param logged the worker's last batch that the broker has
   * @return the worker's highest batch number in either store
   * @throws StoreMismatchException if the stores have different histories: only an operator can
   *     tell which one counts
   */
  long settle(int worker, BatchId logged) {
    BatchStanding standing = standing(worker, logged);
    if (standing.verdict() == Verdict.FOREIGN) {
      mismatch.found(Verdict.FOREIGN, standing.detail());
      throw new StoreMismatchException(standing.detail());
    }
    settle(standing);
    return standing.highest();
  }

  /** Has both stores agree, whatever that costs. */
  void settle(BatchStanding standing) {
    if (standing.verdict().isMismatch()) {
      mismatch.found(standing.verdict(), standing.detail());
      log.adopt(standing.adoption());
    } else if (standing.verdict() == Verdict.IN_DOUBT) {
      withdraw(standing.worker(), standing.reserved().last().number());
    }
    log.confirm(standing.worker(), standing.logged().number());
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
