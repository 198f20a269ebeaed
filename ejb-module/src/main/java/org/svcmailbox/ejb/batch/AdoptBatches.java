package org.svcmailbox.ejb.batch;

import jakarta.persistence.EntityManager;
import org.svcmailbox.core.batch.ProjectionStore.Adoption;
import org.svcmailbox.ejb.store.Transactions.Work;

/**
 * Adopts the broker's last batch of a worker whose batches the database lost. It is unknown which
 * ledgers the lost messages belonged to, so every ledger continues above all numbers that they can
 * have had.
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
