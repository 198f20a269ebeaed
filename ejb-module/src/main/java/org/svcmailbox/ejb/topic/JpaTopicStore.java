package org.svcmailbox.ejb.topic;

import static java.util.Objects.requireNonNull;

import jakarta.persistence.EntityManager;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.TopicState;
import org.svcmailbox.core.topic.TopicStore;
import org.svcmailbox.ejb.batch.DeletedTopicEntity;
import org.svcmailbox.ejb.store.SqlStates;
import org.svcmailbox.ejb.store.Transactions;

public final class JpaTopicStore implements TopicStore {
  /** The most attempts to create a topic while others create and delete its name. */
  private static final int MAX_TRIES = 8;

  private final Transactions transactions;

  public JpaTopicStore(Transactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public List<StoredTopic> all() {
    return transactions.read(
        em ->
            em.createNamedQuery(TopicEntity.ALL, TopicEntity.class).getResultList().stream()
                .map(TopicEntity::stored)
                .toList());
  }

  @Override
  public StoredTopic create(TopicName name, TopicState state, int above) {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      Optional<StoredTopic> topic = insert(name, state, above);
      if (topic.isPresent()) {
        return topic.get();
      }
    }
    throw new UnavailableException("Others keep creating and deleting the topic " + name);
  }

  /** Empty when another node was faster. */
  private Optional<StoredTopic> insert(TopicName name, TopicState state, int above) {
    try {
      return Optional.of(transactions.write(em -> inserted(em, name, state, above)));
    } catch (UnavailableException e) {
      if (SqlStates.isViolation(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private StoredTopic inserted(EntityManager em, TopicName name, TopicState state, int above) {
    drop(em, name);
    TopicEntity made = persisted(em, name, state);
    if (made.id() > above) {
      return made.stored();
    }
    // The database lost recent changes and gives an id again.
    em.remove(made);
    em.flush();
    ids().continueAfter(em, above);
    return persisted(em, name, state).stored();
  }

  private static TopicEntity persisted(EntityManager em, TopicName name, TopicState state) {
    TopicEntity entity = new TopicEntity(name, state);
    em.persist(entity);
    em.flush();
    return entity;
  }

  private TopicIds ids() {
    return new TopicIds(transactions.database());
  }

  @Override
  public void save(StoredTopic topic) {
    transactions.write(
        em -> {
          entity(em, topic.name())
              .filter(row -> row.id() != topic.id())
              .ifPresent(row -> drop(em, topic.name()));
          if (em.find(TopicEntity.class, topic.id()) == null) {
            ids().insert(em, topic.id(), topic.name());
          }
          requireNonNull(em.find(TopicEntity.class, topic.id())).set(topic.state());
          DeletedTopicEntity.unmark(em, topic.id());
          return topic;
        });
  }

  @Override
  public void delete(int id, TopicName name) {
    transactions.write(
        em -> {
          drop(em, name);
          DeletedTopicEntity.mark(em, id);
          return id;
        });
  }

  private static void drop(EntityManager em, TopicName name) {
    entity(em, name)
        .ifPresent(
            topic -> {
              DeletedTopicEntity.mark(em, topic.id());
              em.detach(topic);
              // Runs before an insert of the same name; no error if another deletion was faster.
              int unused =
                  em.createNamedQuery(TopicEntity.DELETE)
                      .setParameter("id", topic.id())
                      .executeUpdate();
            });
  }

  @Override
  public void retire(Collection<Integer> ids) {
    if (ids.isEmpty()) {
      return;
    }
    transactions.write(
        em -> {
          ids.forEach(id -> DeletedTopicEntity.mark(em, id));
          ids().continueAfter(em, Collections.max(ids));
          return ids;
        });
  }

  private static Optional<TopicEntity> entity(EntityManager em, TopicName name) {
    return em
        .createNamedQuery(TopicEntity.BY_NAME, TopicEntity.class)
        .setParameter("name", name.value())
        .getResultList()
        .stream()
        .findFirst();
  }
}
