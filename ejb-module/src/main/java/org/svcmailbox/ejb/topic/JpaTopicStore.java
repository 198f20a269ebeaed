package org.svcmailbox.ejb.topic;

import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.TopicState;
import org.svcmailbox.core.topic.TopicStore;
import org.svcmailbox.ejb.sendlog.DeletedTopicEntity;
import org.svcmailbox.ejb.store.SqlStates;
import org.svcmailbox.ejb.store.Transactions;

public final class JpaTopicStore implements TopicStore {
  /** How often others may create and delete the name while one creates it. */
  private static final int MAX_TRIES = 5;

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
  public Optional<StoredTopic> find(TopicName name) {
    return transactions.read(em -> entity(em, name).map(TopicEntity::stored));
  }

  @Override
  public StoredTopic create(TopicName name, TopicState state) {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      Optional<StoredTopic> topic = find(name).or(() -> insert(name, state));
      if (topic.isPresent()) {
        return topic.get();
      }
    }
    throw new UnavailableException("Others keep making and deleting the topic " + name);
  }

  /** Empty when another node was faster. */
  private Optional<StoredTopic> insert(TopicName name, TopicState state) {
    try {
      return Optional.of(
          transactions.write(
              em -> {
                TopicEntity entity = new TopicEntity(name, state);
                em.persist(entity);
                em.flush();
                return entity.stored();
              }));
    } catch (UnavailableException e) {
      if (SqlStates.isViolation(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public void update(TopicName name, TopicState state) {
    boolean found =
        transactions.write(
            em -> {
              Optional<TopicEntity> entity = entity(em, name);
              entity.ifPresent(topic -> topic.set(state));
              return entity.isPresent();
            });
    if (!found) {
      throw new NotFoundException("topic " + name);
    }
  }

  @Override
  public void delete(TopicName name) {
    transactions.write(
        em -> {
          Optional<TopicEntity> entity = entity(em, name);
          entity.ifPresent(
              topic -> {
                DeletedTopicEntity.mark(em, topic.id());
                em.remove(topic);
              });
          return entity.isPresent();
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
