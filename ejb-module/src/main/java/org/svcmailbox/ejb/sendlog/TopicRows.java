package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.EntityManager;

/** What the send log holds of one topic. */
public final class TopicRows {
  private TopicRows() {}

  /** Removes a topic's ledgers and keys within the caller's transaction. */
  public static void delete(EntityManager em, int topicId) {
    for (String query : new String[] {LedgerEntity.DELETE_TOPIC, IdempotencyEntity.DELETE_TOPIC}) {
      em.createNamedQuery(query).setParameter("topicId", topicId).executeUpdate();
    }
  }
}
