package org.svcmailbox.ejb.topic;

import jakarta.persistence.EntityManager;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.ejb.store.Database;

/**
 * The ids that the database gives to topics. A database that lost recent changes would give some
 * again.
 */
record TopicIds(Database database) {
  /** Makes all later ids greater than {@code id}. */
  void continueAfter(EntityManager em, int id) {
    switch (database) {
      case POSTGRESQL -> {
        Object unused =
            em.createNativeQuery(
                    "select setval('topic_id_seq', greatest(cast(?1 as bigint), last_value))"
                        + " from topic_id_seq")
                .setParameter(1, id)
                .getSingleResult();
      }
      case SQLITE -> continueInSqlite(em, id);
    }
  }

  /** SQLite keeps the last id in a table, which has no row before the first topic. */
  private static void continueInSqlite(EntityManager em, int id) {
    int found =
        em.createNativeQuery("update sqlite_sequence set seq = max(seq, ?1) where name = 'topic'")
            .setParameter(1, id)
            .executeUpdate();
    if (found == 0) {
      int unused =
          em.createNativeQuery("insert into sqlite_sequence (name, seq) values ('topic', ?1)")
              .setParameter(1, id)
              .executeUpdate();
    }
  }

  /** Inserts a row with a given id and no state; no topic gets the id again. */
  void insert(EntityManager em, int id, TopicName name) {
    String override = database == Database.POSTGRESQL ? " overriding system value" : "";
    int unused =
        em.createNativeQuery("insert into topic (id, name)" + override + " values (?1, ?2)")
            .setParameter(1, id)
            .setParameter(2, name.value())
            .executeUpdate();
    continueAfter(em, id);
  }
}
