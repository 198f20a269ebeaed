package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.ejb.store.Database;
import org.svcmailbox.ejb.store.Transactions.Work;

/** The removal of pages that belong to deleted topics. */
final class SweepDeleted implements Work<Integer, RuntimeException> {
  private final int limit;
  private final Database database;

  /**
   * @param limit the most pages
   */
  SweepDeleted(int limit, Database database) {
    this.limit = limit;
    this.database = database;
  }

  /** The topics that are left. */
  static List<Integer> topics(EntityManager em) {
    return em.createNamedQuery(DeletedTopicEntity.ALL, Integer.class).getResultList();
  }

  /** Returns how many pages were removed. */
  @Override
  public Integer run(EntityManager em) {
    List<Integer> swept = new ArrayList<>();
    for (int topicId : topics(em)) {
      swept.addAll(LedgerPageEntity.deleteSome(em, topicId, limit - swept.size()));
      if (swept.size() == limit) {
        break;
      }
      forget(em, topicId);
    }
    SendBatchEntity.ledgersShrank(em, swept.stream().mapToLong(database::rowBytes).sum());
    return swept.size();
  }

  private static void forget(EntityManager em, int topicId) {
    for (String query : List.of(LedgerStartEntity.DELETE_TOPIC, DeletedTopicEntity.DELETE)) {
      em.createNamedQuery(query).setParameter("topicId", topicId).executeUpdate();
    }
  }
}
