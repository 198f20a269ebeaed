package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.EntityManager;
import java.util.List;
import org.svcmailbox.ejb.sendlog.BatchPlaces.PagePlace;
import org.svcmailbox.ejb.store.Database;
import org.svcmailbox.ejb.store.Transactions.Work;

/** The removal of a worker's last batch. */
final class WithdrawBatch implements Work<Boolean, RuntimeException> {
  private final int worker;
  private final long batchNo;
  private final Database database;

  WithdrawBatch(int worker, long batchNo, Database database) {
    this.database = database;
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
    long bytes = 0;
    for (PagePlace page : places.pages()) {
      for (int size : LedgerPageEntity.size(em, page)) {
        bytes += database.rowBytes(size);
      }
      LedgerPageEntity.delete(em, page.topicId(), page.shard(), page.firstSeq());
    }
    KeyPageEntity.deleteBatch(em, worker, batchNo);
    em.createNamedQuery(SendBatchEntity.EMPTY)
        .setParameter("worker", worker)
        .setParameter("places", BatchPlaces.NONE.bytes())
        .setParameter("bytes", bytes)
        .executeUpdate();
  }
}
