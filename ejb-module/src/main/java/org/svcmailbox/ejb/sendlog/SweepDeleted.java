package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.EntityManager;
import java.util.List;
import org.svcmailbox.ejb.store.Transactions.Work;

/** The removal of pages that belong to deleted topics. */
final class SweepDeleted implements Work<Integer, RuntimeException> {
  private final int limit;

  /**
   * @param limit the most pages
   */
  SweepDeleted(int limit) {
    this.limit = limit;
  }

  /** The topics that are left. */
  static List<Integer> topics(EntityManager em) {
    return em.createNamedQuery(DeletedTopicEntity.ALL, Integer.class).getResultList();
  }

  /** Returns how many pages were removed. */
  @Override
  public Integer run(EntityManager em) {
    int swept = 0;
    for (int topicId : topics(em)) {
      swept += sweep(em, topicId, limit - swept);
      if (swept == limit) {
        return swept;
      }
      forget(em, topicId);
    }
    return swept;
  }

  private static int sweep(EntityManager em, int topicId, int atMost) {
    return em.createNamedQuery(LedgerPageEntity.DELETE_SOME)
        .setParameter("topicId", topicId)
        .setParameter("limit", atMost)
        .executeUpdate();
  }

  private static void forget(EntityManager em, int topicId) {
    for (String query : List.of(LedgerStartEntity.DELETE_TOPIC, DeletedTopicEntity.DELETE)) {
      em.createNamedQuery(query).setParameter("topicId", topicId).executeUpdate();
    }
  }
}
