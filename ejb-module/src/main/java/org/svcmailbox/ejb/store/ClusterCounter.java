package org.svcmailbox.ejb.store;

import jakarta.persistence.EntityManager;

/** Numbers that the nodes of a cluster share, each a row of {@code cluster_counter}. */
public enum ClusterCounter {
  /** The changes of topics. */
  TOPICS("topics"),
  /** The highest version of a removed row of a topic. */
  TOPICS_REMOVED("topics_removed"),
  /** New root keys and revocations. */
  CAPABILITIES("capabilities");

  private final String row;

  ClusterCounter(String row) {
    this.row = row;
  }

  /** The next number. The counter is locked until the transaction ends. */
  public long next(EntityManager em) {
    int unused =
        em.createNativeQuery("update cluster_counter set value = value + 1 where name = ?1")
            .setParameter(1, row)
            .executeUpdate();
    return value(em);
  }

  /** Has the counter be at least so high. */
  public void raise(EntityManager em, long least) {
    int unused =
        em.createNativeQuery("update cluster_counter set value = ?2 where name = ?1 and value < ?2")
            .setParameter(1, row)
            .setParameter(2, least)
            .executeUpdate();
  }

  /** The last number. */
  public long value(EntityManager em) {
    Object value =
        em.createNativeQuery("select value from cluster_counter where name = ?1")
            .setParameter(1, row)
            .getSingleResult();
    return ((Number) value).longValue();
  }
}
