package org.svcmailbox.ejb.batch;

import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.svcmailbox.core.batch.ProjectionStore.Swept;
import org.svcmailbox.ejb.store.Database;
import org.svcmailbox.ejb.store.Transactions.Work;

/** Removes the ledger pages of deleted topics. */
final class SweepDeleted implements Work<Swept, RuntimeException> {
  private final int limit;
  private final Set<Integer> spared;
  private final Database database;

  /**
   * @param limit the most pages, and the most topics, that one run removes
   * @param spared topics to keep
   */
  SweepDeleted(int limit, Set<Integer> spared, Database database) {
    this.limit = limit;
    this.spared = spared;
    this.database = database;
  }

  /** Deleted topics that still have pages or rows. */
  static List<Integer> topics(EntityManager em) {
    return em.createNamedQuery(DeletedTopicEntity.ALL, Integer.class).getResultList();
  }

  @Override
  public Swept run(EntityManager em) {
    List<Integer> swept = new ArrayList<>();
    List<Integer> gone = new ArrayList<>();
    for (int topicId : topics(em)) {
      boolean hasRoom = swept.size() < limit && gone.size() < limit;
      if (hasRoom && !spared.contains(topicId)) {
        swept.addAll(LedgerPageEntity.deleteSome(em, topicId, limit - swept.size()));
        if (swept.size() < limit) {
          forget(em, topicId);
          gone.add(topicId);
        }
      }
    }
    AppliedBatchEntity.ledgersShrank(em, swept.stream().mapToLong(database::rowBytes).sum());
    return new Swept(swept.size(), gone);
  }

  private static void forget(EntityManager em, int topicId) {
    for (String query :
        List.of(
            LedgerStartEntity.DELETE_TOPIC,
            LedgerHeadEntity.DELETE_TOPIC,
            DeletedTopicEntity.DELETE)) {
      em.createNamedQuery(query).setParameter("topicId", topicId).executeUpdate();
    }
  }
}
