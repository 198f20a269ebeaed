package org.svcmailbox.ejb.topic;

import static java.util.Objects.requireNonNull;

import jakarta.persistence.EntityManager;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.SharedTopicStore;
import org.svcmailbox.core.topic.TopicState;
import org.svcmailbox.core.topic.TopicStore;
import org.svcmailbox.ejb.batch.DeletedTopicEntity;
import org.svcmailbox.ejb.store.ClusterCounter;
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
    return persisted(em, name, state, above).stored();
  }

  private TopicEntity persisted(EntityManager em, TopicName name, TopicState state, int above) {
    TopicEntity made = persisted(em, name, state);
    if (made.id() > above) {
      return made;
    }
    // The database lost recent changes and gives an id again.
    em.remove(made);
    em.flush();
    ids().continueAfter(em, above);
    return persisted(em, name, state);
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

  @Override
  public Changes after(long version) {
    return transactions.read(
        em -> {
          // First, so that a change in between is read again and not missed.
          long now = ClusterCounter.TOPICS.value(em);
          List<Row> rows =
              em
                  .createNamedQuery(TopicEntity.CHANGED, TopicEntity.class)
                  .setParameter("version", version)
                  .getResultList()
                  .stream()
                  .map(TopicEntity::row)
                  .toList();
          // Last, so that a row that is removed in between shows here.
          return new Changes(now, rows, ClusterCounter.TOPICS_REMOVED.value(em));
        });
  }

  @Override
  public Optional<Row> row(TopicName name) {
    return transactions.read(em -> entity(em, name).map(TopicEntity::row));
  }

  @Override
  public Optional<Row> add(TopicName name, TopicState state, int above) {
    return transactions.write(
        em -> {
          long next = nextVersion(em, SharedTopicStore.NOTHING);
          if (entity(em, name).isPresent()) {
            return Optional.empty();
          }
          return Optional.of(changed(persisted(em, name, state, above), next));
        });
  }

  @Override
  public Optional<Row> replace(StoredTopic topic, long version) {
    return transactions.write(
        em -> {
          long next = nextVersion(em, version);
          Optional<TopicEntity> row = live(em, topic.id(), version);
          row.ifPresent(found -> found.set(topic.state()));
          return row.map(found -> changed(found, next));
        });
  }

  @Override
  public Optional<Row> end(StoredTopic topic, long version) {
    return transactions.write(
        em -> {
          long next = nextVersion(em, version);
          Optional<TopicEntity> row = live(em, topic.id(), version);
          row.ifPresent(found -> found.stage(Stage.ENDING));
          return row.map(found -> changed(found, next));
        });
  }

  private static Optional<TopicEntity> live(EntityManager em, int id, long version) {
    return Optional.ofNullable(em.find(TopicEntity.class, id))
        .filter(row -> row.changed() == version && row.stage() == Stage.LIVE);
  }

  @Override
  public List<Row> ended() {
    return transactions.read(
        em ->
            em.createNamedQuery(TopicEntity.ENDED, TopicEntity.class).getResultList().stream()
                .map(TopicEntity::row)
                .toList());
  }

  @Override
  public void emptied(int id) {
    transactions.write(
        em -> {
          long unused = nextVersion(em, SharedTopicStore.NOTHING);
          ended(em, id).ifPresent(row -> row.stage(Stage.EMPTIED));
          return id;
        });
  }

  @Override
  public void remove(int id) {
    transactions.write(
        em -> {
          long unused = nextVersion(em, SharedTopicStore.NOTHING);
          ended(em, id)
              .filter(row -> row.stage() == Stage.EMPTIED)
              .ifPresent(
                  row -> {
                    ClusterCounter.TOPICS_REMOVED.raise(em, row.changed());
                    DeletedTopicEntity.mark(em, id);
                    em.remove(row);
                  });
          return id;
        });
  }

  private static Optional<TopicEntity> ended(EntityManager em, int id) {
    return Optional.ofNullable(em.find(TopicEntity.class, id))
        .filter(row -> row.stage() != Stage.LIVE);
  }

  @Override
  public Optional<Row> writeAgain(StoredTopic topic, long version) {
    return transactions.write(
        em -> {
          long next = nextVersion(em, version);
          Optional<TopicEntity> found = entity(em, topic.name());
          if (found.filter(row -> isAsNew(row, topic.id(), version)).isPresent()) {
            return Optional.empty();
          }
          if (found.filter(row -> row.id() == topic.id()).isEmpty()) {
            drop(em, topic.name());
            ids().insert(em, topic.id(), topic.name());
          }
          TopicEntity row = requireNonNull(em.find(TopicEntity.class, topic.id()));
          row.set(topic.state());
          row.stage(Stage.LIVE);
          DeletedTopicEntity.unmark(em, topic.id());
          return Optional.of(changed(row, next));
        });
  }

  /** Ids ascend, so a row with a lower one is an earlier topic's. */
  private static boolean isAsNew(TopicEntity row, int id, long version) {
    return row.id() > id || (row.id() == id && row.changed() >= version);
  }

  private static Row changed(TopicEntity row, long version) {
    row.changed(version);
    return row.row();
  }

  /** Locks the counter, so that changes of all nodes happen one after the other. */
  private static long nextVersion(EntityManager em, long above) {
    ClusterCounter.TOPICS.raise(em, above);
    return ClusterCounter.TOPICS.next(em);
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
