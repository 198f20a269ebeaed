package org.svcmailbox.core.topic;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.settings.MailboxSettings;

/**
 * The topics of this process, each as an immutable snapshot; the store behind it is the truth.
 * Bounded by {@code topics.max}. Any thread; changes of one topic happen one at a time.
 */
public final class TopicDirectory {
  /** Makes and removes what a topic needs besides its row. */
  public interface Queues {
    /** Makes the topic's queues; repeating it is no error. */
    void create(Topic topic);

    /** Removes the topic's queues and everything in them; missing ones are no error. */
    void delete(Topic topic);
  }

  /** Only an operator makes room. */
  private static final Duration LATER = Duration.ofMinutes(1);

  /** The bound on topics, as clients and metrics name it. */
  private static final String TOPICS_MAX = "topics_max";

  private final TopicStore store;
  private final Queues queues;
  private final MailboxSettings settings;
  private final ConcurrentHashMap<TopicName, Topic> topics = new ConcurrentHashMap<>();
  private final Set<Integer> deleting = ConcurrentHashMap.newKeySet();

  public TopicDirectory(TopicStore store, Queues queues, MailboxSettings settings) {
    this.store = store;
    this.queues = queues;
    this.settings = settings;
  }

  /** Reads every topic from the store. */
  public void load() {
    store.all().forEach(stored -> topics.put(stored.name(), snapshot(stored)));
  }

  /** The topic, made on the spot where the settings allow it. */
  public Topic require(TopicName name) {
    Topic known = topics.get(name);
    if (known != null) {
      return known;
    }
    if (!settings.topics().autoCreate()) {
      throw new NotFoundException("there is no topic " + name);
    }
    return ensure(name, TopicOverrides.NONE);
  }

  /** The topic, if there is one. */
  public Optional<Topic> find(TopicName name) {
    return Optional.ofNullable(topics.get(name));
  }

  /** Every topic, in no order. */
  public List<Topic> all() {
    return List.copyOf(topics.values());
  }

  /** How many topics there are. */
  public int size() {
    return topics.size();
  }

  /** How many topics there are, of how many there may be. */
  public List<Metric> metrics() {
    return List.of(
        Family.BOUND_USED.of(this::size, TOPICS_MAX),
        Family.BOUND_CAPACITY.of(() -> settings.topics().max(), TOPICS_MAX));
  }

  /**
   * Whether a snapshot that was taken some time ago still stands for a topic: not once its deletion
   * has begun, and again if that failed.
   */
  public boolean isCurrent(Topic topic) {
    // In this order: a deletion that ends in between leaves the directory first. One that begins in
    // between needs the worker that asks, and does not end before that has its answer.
    if (deleting.contains(topic.id())) {
      return false;
    }
    Topic known = topics.get(topic.name());
    return known != null && known.id() == topic.id();
  }

  /** Every shard of a topic that is not being deleted that has this routing slot. */
  public List<ShardId> shardsInSlot(int slot) {
    // First, as above.
    Set<Integer> going = Set.copyOf(deleting);
    return topics.values().stream()
        .filter(topic -> !going.contains(topic.id()))
        .flatMap(topic -> topic.shards().stream())
        .filter(shard -> shard.slot() == slot)
        .toList();
  }

  /**
   * Makes a topic or replaces its overrides.
   *
   * @return whether it was made
   * @throws SchemaException when {@code ready_shards} of an existing topic would change
   */
  public boolean put(TopicName name, TopicOverrides overrides) {
    boolean[] made = new boolean[1];
    topics.compute(
        name,
        (key, known) -> {
          made[0] = known == null;
          return known == null ? create(name, overrides) : change(known, overrides);
        });
    return made[0];
  }

  /**
   * Removes a topic: first from this directory, then what it stands for.
   *
   * @param letGo waits until nobody works on the topic any more
   * @throws NotFoundException when there is none
   */
  public void delete(TopicName name, Consumer<Topic> letGo) {
    if (!topics.containsKey(name)) {
      throw new NotFoundException("there is no topic " + name);
    }
    Topic[] deleted = new Topic[1];
    topics.computeIfPresent(
        name,
        (key, known) -> {
          deleted[0] = known;
          return delete(known, letGo);
        });
    if (deleted[0] != null) {
      // After the removal, so that nobody takes the old snapshot for current in between.
      deleting.remove(deleted[0].id());
    }
  }

  /** Returns what stands for the topic afterwards: nothing. */
  private @Nullable Topic delete(Topic topic, Consumer<Topic> letGo) {
    deleting.add(topic.id());
    try {
      letGo.accept(topic);
      queues.delete(topic);
      store.delete(topic.name());
      return null;
    } catch (RuntimeException e) {
      deleting.remove(topic.id());
      throw e;
    }
  }

  private Topic ensure(TopicName name, TopicOverrides overrides) {
    return topics.computeIfAbsent(name, key -> create(key, overrides));
  }

  private Topic create(TopicName name, TopicOverrides overrides) {
    if (topics.mappingCount() >= settings.topics().max()) {
      throw new SaturatedException(
          TOPICS_MAX, "there are " + settings.topics().max() + " topics already", LATER);
    }
    int shards = overrides.over(settings.defaults()).readyShards();
    Topic topic = snapshot(store.create(name, overrides.withReadyShards(shards)));
    queues.create(topic);
    return topic;
  }

  private Topic change(Topic known, TopicOverrides overrides) {
    @Nullable Integer shards = overrides.readyShards();
    int fixed = known.settings().readyShards();
    if (shards != null && shards != fixed) {
      throw new SchemaException("ready_shards", "is fixed at creation, to " + fixed + " here");
    }
    TopicOverrides stored = overrides.withReadyShards(fixed);
    store.update(known.name(), stored);
    return new Topic(known.id(), known.name(), stored, stored.over(settings.defaults()));
  }

  private Topic snapshot(TopicStore.StoredTopic stored) {
    return new Topic(
        stored.id(),
        stored.name(),
        stored.overrides(),
        stored.overrides().over(settings.defaults()));
  }
}
