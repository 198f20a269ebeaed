package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.EntityManager;
import java.util.List;
import org.svcmailbox.ejb.sendlog.BatchPlaces.PagePlace;
import org.svcmailbox.ejb.store.Transactions.Work;

/** The removal of a worker's last batch. */
final class WithdrawBatch implements Work<Boolean, RuntimeException> {
  private final int worker;
  private final long batchNo;

  WithdrawBatch(int worker, long batchNo) {
    this.worker = worker;
    this.batchNo = batchNo;
  }

  /** Returns whether it was the worker's last. */
  @Override
  public Boolean run(EntityManager em) {
    List<byte[]> last =
        em.createNamedQuery(SendBatchEntity.PLACES, byte[].class)
            .setParameter("worker", worker)
            .setParameter("batchNo", batchNo)
            .getResultList();
    last.forEach(places -> remove(em, BatchPlaces.ofBytes(places)));
    return !last.isEmpty();
  }

  private void remove(EntityManager em, BatchPlaces places) {
    for (PagePlace page : places.pages()) {
      LedgerPageEntity.delete(em, page.topicId(), page.shard(), page.firstSeq());
    }
    KeyPageEntity.deleteBatch(em, worker, batchNo);
    em.createNamedQuery(SendBatchEntity.EMPTY)
        .setParameter("worker", worker)
        .setParameter("places", BatchPlaces.NONE.bytes())
        .executeUpdate();
  }
}
