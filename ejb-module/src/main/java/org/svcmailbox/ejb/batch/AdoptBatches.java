package org.svcmailbox.ejb.batch;

import jakarta.persistence.EntityManager;
import org.svcmailbox.core.batch.ProjectionStore.Adoption;
import org.svcmailbox.ejb.store.Transactions.Work;

/**
 * The taking over of what the broker has. How the messages of lost batches were spread over the
 * ledgers is lost with them, so every ledger goes on behind all they can have had.
 */
final class AdoptBatches implements Work<Boolean, RuntimeException> {
  private final Adoption adoption;

  AdoptBatches(Adoption adoption) {
    this.adoption = adoption;
  }

  @Override
  public Boolean run(EntityManager em) {
    if (adoption.skipped() > 0) {
      long stored = Math.max(LedgerFloorEntity.highest(em), LedgerHeadEntity.highest(em));
      long given = Math.max(stored, adoption.given());
      LedgerFloorEntity.put(em, adoption.worker(), given + adoption.skipped());
    }
    KeyPageEntity.deleteAfter(em, adoption.worker(), adoption.keysAfter());
    AppliedBatchEntity.put(em, adoption.worker(), adoption.last());
    return true;
  }
}
