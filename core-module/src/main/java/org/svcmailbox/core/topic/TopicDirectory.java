package org.svcmailbox.core.topic;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.TopicSettings;

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

    /** Removes the queue of one shard and everything in it; a missing one is no error. */
    void delete(ShardId shard);
  }

  /** The topic whose dead letters are messages that do not say where they belong. */
  public static final TopicName UNSORTED = new TopicName("mailbox.unsorted");

  /** Only an operator makes room. */
  private static final Duration LATER = Duration.ofMinutes(1);

  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration YEAR = Duration.ofDays(365);

  /** The bound on topics, as clients and metrics name it. */
  private static final String TOPICS_MAX = "topics_max";

  private static final Logger LOG = System.getLogger(TopicDirectory.class.getName());

  private final TopicStore store;
  private final Queues queues;
  private final MailboxSettings settings;
  private final ConcurrentHashMap<TopicName, Topic> topics = new ConcurrentHashMap<>();
  private final Set<Integer> deleting = ConcurrentHashMap.newKeySet();
  private final Set<ShardId> closing = ConcurrentHashMap.newKeySet();

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

  /**
   * Makes {@link #UNSORTED} if it is not there, also where {@code topics.max} is reached: what it
   * keeps has no other place.
   */
  public void requireUnsorted() {
    Topic unused = topics.computeIfAbsent(UNSORTED, key -> made(key, TopicOverrides.NONE, 1));
  }

  /** The topic, if there is one. */
  public Optional<Topic> find(TopicName name) {
    return Optional.ofNullable(topics.get(name));
  }

  /** How long dead letters of a topic are kept, also of one that is gone. */
  public Duration letterRetention(TopicName name) {
    return find(name).map(Topic::settings).orElse(settings.defaults()).retention().dlq();
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
   * has begun.
   */
  public boolean isCurrent(Topic topic) {
    return current(topic) != null;
  }

  /** What a snapshot's topic is now, null when it is no more. */
  private @Nullable Topic current(Topic topic) {
    // In this order: a deletion that ends in between leaves the directory first. One that begins in
    // between needs the worker that asks, and does not end before that has its answer.
    if (deleting.contains(topic.id())) {
      return null;
    }
    Topic known = topics.get(topic.name());
    return known != null && known.id() == topic.id() ? known : null;
  }

  /**
   * Whether messages are taken into a shard that was chosen by a snapshot of some time ago: not
   * once the topic's shards are fewer.
   */
  public boolean takesInto(Topic topic, ShardId shard) {
    Topic known = current(topic);
    return known != null && known.takesInto(shard);
  }

  /** Whether a topic has a shard and keeps it: not once its deletion has begun. */
  public boolean has(ShardId shard) {
    Topic known = topics.get(shard.topic());
    return known != null
        && !deleting.contains(known.id())
        && shard.index() < known.state().liveShards();
  }

  /** Whether a topic hands nothing out for now. */
  public boolean isPaused(TopicName name) {
    Topic known = topics.get(name);
    return known != null && known.state().paused();
  }

  /**
   * A topic's shards that may hold messages, but for one that is about to be closed; none of a
   * topic whose deletion has begun.
   */
  public List<ShardId> openShards(TopicName name) {
    // First, as above: a shard that is closed in between is gone from the directory.
    Set<ShardId> ending = Set.copyOf(closing);
    Set<Integer> going = Set.copyOf(deleting);
    Topic known = topics.get(name);
    return known == null || going.contains(known.id())
        ? List.of()
        : without(ending, known.shards());
  }

  /** Every open shard of a topic that is not being deleted that has this routing slot. */
  public List<ShardId> shardsInSlot(int slot) {
    // First, as above.
    Set<Integer> going = Set.copyOf(deleting);
    Set<ShardId> ending = Set.copyOf(closing);
    return topics.values().stream()
        .filter(topic -> !going.contains(topic.id()))
        .flatMap(topic -> without(ending, topic.shards()).stream())
        .filter(shard -> shard.slot() == slot)
        .toList();
  }

  private static List<ShardId> without(Set<ShardId> going, List<ShardId> shards) {
    return going.isEmpty()
        ? shards
        : shards.stream().filter(shard -> !going.contains(shard)).toList();
  }

  /**
   * Makes a topic or replaces its overrides. When it gets fewer shards, those behind the last one
   * take no messages any more and are closed by {@link #closeEmpty} once they are empty.
   *
   * @return whether it was made
   * @throws SchemaException when settings contradict each other
   * @throws UnavailableException when the topic is being deleted
   */
  public boolean put(TopicName name, TopicOverrides overrides) {
    requireSense(overrides);
    boolean[] made = new boolean[1];
    topics.compute(
        name,
        (key, known) -> {
          made[0] = known == null;
          return known == null ? make(name, overrides) : change(staying(known), overrides);
        });
    return made[0];
  }

  /**
   * Makes a topic hand out nothing, or everything again.
   *
   * @throws NotFoundException when there is none
   */
  public void pause(TopicName name, boolean paused) {
    update(name, state -> state.withPaused(paused));
  }

  /**
   * Does {@code work} with a topic, null when there is none or its deletion has begun; until it
   * returns, the topic is neither deleted nor changed. It must not ask for a change of a topic
   * itself.
   */
  public <T extends @Nullable Object> T whileSteady(
      TopicName name, Function<@Nullable Topic, T> work) {
    List<T> answer = new ArrayList<>(1);
    topics.compute(
        name,
        (key, known) -> {
          answer.add(work.apply(known == null ? null : current(known)));
          return known;
        });
    return answer.get(0);
  }

  /**
   * Closes the last shard of a topic that has more than take messages, if it is empty.
   *
   * @param letGo whether the shard is empty and nobody works on it any more; from before it is
   *     asked the shard is not {@link #openShards open}
   * @return whether a shard was closed
   */
  public boolean closeEmpty(TopicName name, Predicate<ShardId> letGo) {
    boolean[] closed = new boolean[1];
    topics.computeIfPresent(
        name,
        (key, known) -> {
          boolean closes = known.isRebalancing() && isCurrent(known);
          Topic left = closes ? closeLast(known, letGo) : known;
          closed[0] = left.state().liveShards() < known.state().liveShards();
          return left;
        });
    return closed[0];
  }

  private Topic closeLast(Topic known, Predicate<ShardId> letGo) {
    ShardId last = known.shard(known.state().liveShards() - 1);
    closing.add(last);
    try {
      if (!letGo.test(last)) {
        return known;
      }
      TopicState left = known.state().withoutLastShard();
      store.update(known.name(), left);
      deleteQueue(last);
      return snapshot(known.id(), known.name(), left);
    } finally {
      closing.remove(last);
    }
  }

  /** After its row, so that no shard of the row is without a queue; an empty one may be left. */
  private void deleteQueue(ShardId shard) {
    try {
      queues.delete(shard);
    } catch (UnavailableException e) {
      LOG.log(
          Level.WARNING, "{0} is closed, but its empty queue is left: {1}", shard, e.toString());
    }
  }

  /**
   * Removes a topic: first from this directory, then what it stands for. A deletion that has begun
   * cannot be taken back: some of the queues may be gone. When it fails, the topic stays {@link
   * #unfinished} until this method was repeated with success.
   *
   * @param letGo waits until nobody works on the topic any more
   * @throws NotFoundException when there is none
   */
  public void delete(TopicName name, Consumer<Topic> letGo) {
    Topic[] deleted = new Topic[1];
    topics.computeIfPresent(
        name,
        (key, known) -> {
          deleted[0] = known;
          deleting.add(known.id());
          letGo.accept(known);
          queues.delete(known);
          store.delete(known.name());
          return null;
        });
    if (deleted[0] == null) {
      throw new NotFoundException("there is no topic " + name);
    }
    // After the removal, so that nobody takes the old snapshot for current in between.
    deleting.remove(deleted[0].id());
  }

  /** The topics whose deletion has begun and not ended. */
  public List<TopicName> unfinished() {
    return deleting.isEmpty()
        ? List.of()
        : topics.values().stream()
            .filter(topic -> deleting.contains(topic.id()))
            .map(Topic::name)
            .toList();
  }

  /** Makes again what is missing of a topic's queues; nothing for one that is being deleted. */
  public void mend(TopicName name) {
    topics.computeIfPresent(
        name,
        (key, known) -> {
          if (isCurrent(known)) {
            queues.create(known);
          }
          return known;
        });
  }

  private Topic ensure(TopicName name, TopicOverrides overrides) {
    return topics.computeIfAbsent(name, key -> create(key, overrides));
  }

  /** As asked, also when an earlier try failed half way and left a row that says otherwise. */
  private Topic make(TopicName name, TopicOverrides overrides) {
    Topic made = create(name, overrides);
    boolean isAsAsked = changed(made, overrides).state().equals(made.state());
    return isAsAsked ? made : change(made, overrides);
  }

  private Topic create(TopicName name, TopicOverrides overrides) {
    if (topics.mappingCount() >= settings.topics().max()) {
      throw new SaturatedException(
          TOPICS_MAX, "there are " + settings.topics().max() + " topics already", LATER);
    }
    return made(name, overrides, overrides.over(settings.defaults()).readyShards());
  }

  private Topic made(TopicName name, TopicOverrides overrides, int shards) {
    Topic topic = snapshot(store.create(name, TopicState.fresh(overrides, shards)));
    queues.create(topic);
    return topic;
  }

  private Topic change(Topic known, TopicOverrides overrides) {
    Topic changed = changed(known, overrides);
    if (changed.state().liveShards() > known.state().liveShards()) {
      // Before its row, so that no shard of the row is without a queue.
      queues.create(changed);
    }
    store.update(changed.name(), changed.state());
    return changed;
  }

  private Topic changed(Topic known, TopicOverrides overrides) {
    Integer asked = overrides.readyShards();
    int shards = asked != null ? asked : known.settings().readyShards();
    return snapshot(known.id(), known.name(), known.state().with(overrides, shards));
  }

  private void update(TopicName name, UnaryOperator<TopicState> change) {
    Topic changed =
        topics.computeIfPresent(
            name,
            (key, known) -> {
              TopicState state = change.apply(staying(known).state());
              store.update(name, state);
              return snapshot(known.id(), name, state);
            });
    if (changed == null) {
      throw new NotFoundException("there is no topic " + name);
    }
  }

  private Topic staying(Topic known) {
    if (!isCurrent(known)) {
      throw new UnavailableException("the topic " + known.name() + " is being deleted");
    }
    return known;
  }

  /** What each field may be is known to the overrides; here what they must be to each other. */
  private void requireSense(TopicOverrides overrides) {
    TopicSettings made = overrides.over(settings.defaults());
    Ranges ranges = new Ranges();
    // More could never wait: the inbox of the shard's worker would be full.
    ranges.within("shard_capacity", overrides.shardCapacity(), 1, settings.inboxCapacity());
    Duration visibility = made.defaultVisibility();
    ranges.within(
        "default_visibility", visibility, settings.visibility().min(), settings.visibility().max());
    ranges.within("backoff_max", made.backoffMax(), made.backoffBase(), DAY);
    ranges.within("retention_inflight", made.retention().inflight(), visibility, YEAR);
    ranges.end();
  }

  private Topic snapshot(TopicStore.StoredTopic stored) {
    return snapshot(stored.id(), stored.name(), stored.state());
  }

  private Topic snapshot(int id, TopicName name, TopicState state) {
    return new Topic(id, name, state, state.overrides().over(settings.defaults()));
  }
}
