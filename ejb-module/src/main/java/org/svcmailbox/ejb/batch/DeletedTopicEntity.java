package org.svcmailbox.ejb.batch;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A deleted topic whose ledgers are still to be removed. */
@Entity
@Table(name = "deleted_topic")
@NamedQuery(
    name = DeletedTopicEntity.ALL,
    query = "select d.topicId from DeletedTopicEntity d order by d.topicId")
@NamedQuery(
    name = DeletedTopicEntity.LIVE,
    query = "select t.id from TopicEntity t where t.id in :ids")
@NamedQuery(
    name = DeletedTopicEntity.DELETE,
    query = "delete from DeletedTopicEntity d where d.topicId = :topicId")
public class DeletedTopicEntity {
  static final String ALL = "DeletedTopicEntity.all";
  static final String DELETE = "DeletedTopicEntity.delete";
  static final String LIVE = "DeletedTopicEntity.live";

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Id
  @Column(name = "topic_id")
  private int topicId;

  /** For the persistence provider. */
  protected DeletedTopicEntity() {}

  private DeletedTopicEntity(int topicId) {
    this.topicId = topicId;
  }

  /** The ids of topics that neither exist nor are marked as deleted. */
  static Set<Integer> withoutKnown(EntityManager em, Set<Integer> ids) {
    Set<Integer> unknown = new HashSet<>(ids);
    List<Integer> live =
        em.createNamedQuery(LIVE, Integer.class).setParameter("ids", ids).getResultList();
    unknown.removeAll(Set.copyOf(live));
    unknown.removeAll(Set.copyOf(em.createNamedQuery(ALL, Integer.class).getResultList()));
    return unknown;
  }

  /** Removes a topic's mark. */
  public static void unmark(EntityManager em, int topicId) {
    em.createNamedQuery(DELETE).setParameter("topicId", topicId).executeUpdate();
  }

  /** Marks a topic within the transaction that deletes it; no error if it is marked already. */
  public static void mark(EntityManager em, int topicId) {
    if (em.find(DeletedTopicEntity.class, topicId) == null) {
      em.persist(new DeletedTopicEntity(topicId));
    }
  }
}
