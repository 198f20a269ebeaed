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

  /** The versions of the last changes by nodes. */
  private final Map<TopicName, Long> changed = new TreeMap<>();

  private final Map<TopicName, Stage> stages = new TreeMap<>();
  private long removed;
  private long version;
  private boolean isAway;
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
    changed.clear();
    changed.putAll(other.changed);
    stages.clear();
    stages.putAll(other.stages);
    removed = other.removed;
    version = other.version;
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
    changed.remove(name);
    stages.remove(name);
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

  /** Has every call of a node fail. */
  public synchronized void away(boolean now) {
    isAway = now;
  }

  private void requireHere() {
    if (isAway) {
      throw new UnavailableException("the database is away");
    }
  }

  @Override
  public synchronized Changes after(long since) {
    requireHere();
    return new Changes(
        version,
        topics.values().stream().map(this::asRow).filter(row -> row.version() > since).toList(),
        removed);
  }

  private Row asRow(StoredTopic topic) {
    return new Row(
        topic,
        changed.getOrDefault(topic.name(), 0L),
        stages.getOrDefault(topic.name(), Stage.LIVE));
  }

  @Override
  public synchronized Optional<Row> row(TopicName name) {
    requireHere();
    return find(name).map(this::asRow);
  }

  @Override
  public synchronized Optional<Row> add(TopicName name, TopicState state, int above) {
    requireHere();
    failIf(Fault.BEFORE);
    if (topics.containsKey(name)) {
      return Optional.empty();
    }
    lastId = Math.max(lastId, above) + 1;
    return written(new StoredTopic(lastId, name, state), version);
  }

  @Override
  public synchronized Optional<Row> replace(StoredTopic topic, long from) {
    requireHere();
    failIf(Fault.BEFORE);
    return isLive(topic, from) ? written(topic, from) : Optional.empty();
  }

  private boolean isLive(StoredTopic topic, long from) {
    StoredTopic row = topics.get(topic.name());
    return row != null
        && row.id() == topic.id()
        && asRow(row).version() == from
        && asRow(row).isLive();
  }

  @Override
  public synchronized Optional<Row> end(StoredTopic topic, long from) {
    requireHere();
    failIf(Fault.BEFORE);
    if (!isLive(topic, from)) {
      return Optional.empty();
    }
    stages.put(topic.name(), Stage.ENDING);
    return written(topic, from);
  }

  @Override
  public synchronized List<Row> ended() {
    requireHere();
    return topics.values().stream().map(this::asRow).filter(row -> !row.isLive()).toList();
  }

  @Override
  public synchronized void emptied(int id) {
    requireHere();
    failIf(Fault.BEFORE);
    ended().stream()
        .filter(row -> row.topic().id() == id)
        .forEach(row -> stages.put(row.topic().name(), Stage.EMPTIED));
    failIf(Fault.AFTER);
  }

  @Override
  public synchronized void remove(int id) {
    requireHere();
    failIf(Fault.BEFORE);
    for (Row row : ended()) {
      if (row.topic().id() == id && row.stage() == Stage.EMPTIED) {
        removed = Math.max(removed, row.version());
        drop(row.topic().name());
      }
    }
    failIf(Fault.AFTER);
  }

  @Override
  public synchronized Optional<Row> writeAgain(StoredTopic topic, long lost) {
    requireHere();
    failIf(Fault.BEFORE);
    StoredTopic row = topics.get(topic.name());
    if (row != null
        && (row.id() > topic.id() || (row.id() == topic.id() && asRow(row).version() >= lost))) {
      return Optional.empty();
    }
    if (row != null && row.id() != topic.id()) {
      drop(topic.name());
    }
    lastId = Math.max(lastId, topic.id());
    kept.accept(topic.id());
    return written(topic, lost);
  }

  private Optional<Row> written(StoredTopic topic, long above) {
    version = Math.max(version, above) + 1;
    topics.put(topic.name(), topic);
    changed.put(topic.name(), version);
    failIf(Fault.AFTER);
    return Optional.of(asRow(topic));
  }

  private void failIf(Fault fault) {
    if (nextFault == fault) {
      nextFault = null;
      throw new UnavailableException("told to fail " + fault);
    }
  }
}
