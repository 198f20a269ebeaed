package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.svcmailbox.ejb.sendlog.BatchPlaces.PagePlace;
import org.svcmailbox.ejb.store.Transactions.Work;

/** The removal of a worker's last batch. */
final class WithdrawBatch implements Work<Integer, RuntimeException> {
  private final int worker;
  private final long batchNo;

  WithdrawBatch(int worker, long batchNo) {
    this.worker = worker;
    this.batchNo = batchNo;
  }

  /** Returns how many messages were withdrawn. */
  @Override
  public Integer run(EntityManager em) {
    List<byte[]> last =
        em.createNamedQuery(SendBatchEntity.PLACES, byte[].class)
            .setParameter("worker", worker)
            .setParameter("batchNo", batchNo)
            .getResultList();
    return last.isEmpty() ? 0 : remove(em, BatchPlaces.ofBytes(last.get(0)));
  }

  private int remove(EntityManager em, BatchPlaces places) {
    List<UUID> msgIds = new ArrayList<>();
    for (PagePlace page : places.pages()) {
      msgIds.addAll(msgIds(em, page));
      LedgerPageEntity.delete(em, page.topicId(), page.shard(), page.firstSeq());
    }
    if (!msgIds.isEmpty()) {
      deleteKeys(em, places, msgIds);
    }
    em.createNamedQuery(SendBatchEntity.EMPTY)
        .setParameter("worker", worker)
        .setParameter("places", BatchPlaces.NONE.bytes())
        .executeUpdate();
    return msgIds.size();
  }

  private static List<UUID> msgIds(EntityManager em, PagePlace page) {
    return LedgerPageEntity.at(em, page.topicId(), page.shard(), page.firstSeq()).stream()
        .map(entry -> Ids.of(entry.msgId()))
        .toList();
  }

  /** Removes the keys that still belong to these messages: one may have expired and passed on. */
  private static void deleteKeys(EntityManager em, BatchPlaces places, List<UUID> msgIds) {
    em.createNamedQuery(IdempotencyEntity.DELETE_MESSAGES)
        .setParameter("keys", places.keys().stream().map(Ids::of).toList())
        .setParameter("msgIds", msgIds)
        .executeUpdate();
  }
}
