package org.svcmailbox.core.topic;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.UnavailableException;

/** Topics in a map. One write can be made to fail, before or after it takes effect. */
public final class InMemoryTopicStore implements TopicStore {
  private final Map<TopicName, StoredTopic> topics = new TreeMap<>();
  private final IntConsumer deleted;
  private int lastId;
  private @Nullable Fault nextFault;

  /**
   * @param deleted takes the id of each deleted topic
   */
  public InMemoryTopicStore(IntConsumer deleted) {
    this.deleted = deleted;
  }

  /** A snapshot. */
  public synchronized InMemoryTopicStore copy() {
    InMemoryTopicStore copy = new InMemoryTopicStore(deleted);
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

  @Override
  public synchronized Optional<StoredTopic> find(TopicName name) {
    return Optional.ofNullable(topics.get(name));
  }

  @Override
  public synchronized StoredTopic create(TopicName name, TopicState state) {
    failIf(Fault.BEFORE);
    StoredTopic topic = topics.get(name);
    if (topic == null) {
      lastId++;
      topic = new StoredTopic(lastId, name, state);
      topics.put(name, topic);
    }
    failIf(Fault.AFTER);
    return topic;
  }

  @Override
  public synchronized void update(TopicName name, TopicState state) {
    failIf(Fault.BEFORE);
    StoredTopic topic = topics.get(name);
    if (topic == null) {
      throw new NotFoundException("topic " + name);
    }
    topics.put(name, new StoredTopic(topic.id(), name, state));
    failIf(Fault.AFTER);
  }

  @Override
  public synchronized void delete(TopicName name) {
    failIf(Fault.BEFORE);
    StoredTopic topic = topics.remove(name);
    if (topic != null) {
      deleted.accept(topic.id());
    }
    failIf(Fault.AFTER);
  }

  private void failIf(Fault fault) {
    if (nextFault == fault) {
      nextFault = null;
      throw new UnavailableException("told to fail " + fault);
    }
  }
}
