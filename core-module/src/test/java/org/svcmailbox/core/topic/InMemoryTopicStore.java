package org.svcmailbox.core.topic;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;

/** Topics in a map. One write can be made to fail, before or after it takes effect. */
public final class InMemoryTopicStore implements TopicStore {
  private final Map<TopicName, StoredTopic> topics = new TreeMap<>();
  private final IntConsumer deleted;
  private final IntConsumer kept;
  private int lastId;
  private @Nullable Fault nextFault;

  /**
   * @param deleted takes the id of each deleted topic
   */
  public InMemoryTopicStore(IntConsumer deleted) {
    this(deleted, id -> {});
  }

  /**
   * @param kept takes the id of each topic that is saved
   */
  public InMemoryTopicStore(IntConsumer deleted, IntConsumer kept) {
    this.deleted = deleted;
    this.kept = kept;
  }

  /** A snapshot. */
  public synchronized InMemoryTopicStore copy() {
    InMemoryTopicStore copy = new InMemoryTopicStore(deleted, kept);
    copy.replaceBy(this);
    return copy;
  }

  /** Restores a snapshot. */
  public synchronized void replaceBy(InMemoryTopicStore other) {
    topics.clear();
    topics.putAll(other.topics);
    lastId = other.lastId;
  }

  /** Makes the next change throw {@link UnavailableException}. */
  public synchronized void failNext(Fault fault) {
    nextFault = fault;
  }

  @Override
  public synchronized List<StoredTopic> all() {
    return List.copyOf(topics.values());
  }

  public synchronized Optional<StoredTopic> find(TopicName name) {
    return Optional.ofNullable(topics.get(name));
  }

  @Override
  public synchronized StoredTopic create(TopicName name, TopicState state, int above) {
    failIf(Fault.BEFORE);
    drop(name);
    lastId = Math.max(lastId, above) + 1;
    StoredTopic topic = new StoredTopic(lastId, name, state);
    topics.put(name, topic);
    failIf(Fault.AFTER);
    return topic;
  }

  @Override
  public synchronized void save(StoredTopic topic) {
    failIf(Fault.BEFORE);
    StoredTopic row = topics.get(topic.name());
    if (row != null && row.id() != topic.id()) {
      drop(topic.name());
    }
    topics.put(topic.name(), topic);
    lastId = Math.max(lastId, topic.id());
    kept.accept(topic.id());
    failIf(Fault.AFTER);
  }

  @Override
  public synchronized void delete(int id, TopicName name) {
    failIf(Fault.BEFORE);
    drop(name);
    retire(List.of(id));
    failIf(Fault.AFTER);
  }

  private void drop(TopicName name) {
    StoredTopic topic = topics.remove(name);
    if (topic != null) {
      deleted.accept(topic.id());
    }
  }

  @Override
  public synchronized void retire(Collection<Integer> ids) {
    ids.forEach(deleted::accept);
    ids.forEach(id -> lastId = Math.max(lastId, id));
  }

  private void failIf(Fault fault) {
    if (nextFault == fault) {
      nextFault = null;
      throw new UnavailableException("told to fail " + fault);
    }
  }
}
