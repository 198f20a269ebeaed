package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.EntityManager;
import org.svcmailbox.core.delivery.SendLog.Batch;
import org.svcmailbox.ejb.store.Transactions.Work;

/**
 * The taking over of batches that the broker has and the database lost. How their messages were
 * spread over the ledgers is lost with them, so every ledger goes on behind all they can have had.
 */
final class AdoptBatches implements Work<Boolean, RuntimeException> {
  private final int worker;
  private final long batchNo;

  AdoptBatches(int worker, long batchNo) {
    this.worker = worker;
    this.batchNo = batchNo;
  }

  /** Returns whether any were missing. */
  @Override
  public Boolean run(EntityManager em) {
    long missing = batchNo - SendBatchEntity.number(em, worker).orElse(0L);
    if (missing <= 0) {
      return false;
    }
    long lastPage = LedgerPageEntity.highest(em) + Batch.MAX_ROWS;
    long given = Math.max(LedgerFloorEntity.highest(em), lastPage);
    LedgerFloorEntity.put(em, worker, given + missing * Batch.MAX_ROWS);
    SendBatchEntity.adopt(em, worker, batchNo);
    return true;
  }
}
