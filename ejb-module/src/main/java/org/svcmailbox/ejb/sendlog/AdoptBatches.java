package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.EntityManager;
import org.svcmailbox.core.delivery.SendLog.Adoption;
import org.svcmailbox.core.delivery.SendLog.Batch;
import org.svcmailbox.ejb.store.Transactions.Work;

/**
 * The taking over of what the broker has. How the messages of batches that the database lost were
 * spread over the ledgers is lost with them, so every ledger goes on behind all they can have had.
 */
final class AdoptBatches implements Work<Boolean, RuntimeException> {
  private final Adoption adoption;

  AdoptBatches(Adoption adoption) {
    this.adoption = adoption;
  }

  @Override
  public Boolean run(EntityManager em) {
    if (adoption.skipped() > 0) {
      long lastPage = LedgerPageEntity.highest(em) + Batch.MAX_ROWS;
      long given = Math.max(LedgerFloorEntity.highest(em), lastPage);
      LedgerFloorEntity.put(em, adoption.worker(), given + adoption.skipped());
    }
    KeyPageEntity.deleteAfter(em, adoption.worker(), adoption.keysAfter());
    SendBatchEntity.adopt(em, adoption.worker(), adoption.logged());
    return true;
  }
}
