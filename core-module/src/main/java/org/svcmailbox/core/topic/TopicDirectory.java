package org.svcmailbox.core.topic;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.problem.NotClusteredException;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.problem.TopicChangingException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.TopicRetention;
import org.svcmailbox.core.settings.TopicSettings;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.SharedTopicStore.Row;
import org.svcmailbox.core.topic.SharedTopicStore.Stage;
import org.svcmailbox.core.topic.TopicStore.StoredTopic;

/**
 * The topics as immutable snapshots of the store, limited by {@code topics.max}, of which each
 * namespace has a fair share. Any thread; changes of one topic are serialized.
 */
public final class TopicDirectory {
  /** Creates and deletes the queues of topics. Repeating either is no error. */
  public interface Queues {
    /** Throws {@link UnavailableException} while no queues can be created. */
    void requireAnswer();

    void create(Topic topic);

    void delete(Topic topic);

    /**
     * As above, of a topic that a node deletes, with queues of dead letters that other nodes made.
     *
     * @param isEnding asked before each queue, on the connection that removes it; if not, the call
     *     throws {@link UnavailableException}
     */
    void delete(Topic topic, BooleanSupplier isEnding);

    void delete(ShardId shard);

    /** Forgets what this process knows of the queues of a topic that another node deletes. */
    void forget(TopicName name);
  }

  /** Collects dead letters whose topic is unknown. */
  public static final TopicName UNSORTED = new TopicName("mailbox.unsorted");

  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration YEAR = Duration.ofDays(365);

  /** The limit's reason in refusals. */
  public static final String TOPICS_MAX = "topics_max";

  private static final Logger LOG = System.getLogger(TopicDirectory.class.getName());

  private final TopicStore store;

  /** The rows that other nodes change too; null if this process is alone. */
  private final @Nullable SharedTopics shared;

  private final Queues queues;
  private final MailboxSettings settings;
  private final TopicRoom room;
  private final TopicLocks locks = new TopicLocks(TopicLocks.PATIENCE);

  /** A topic's entry only changes while its lock is held. */
  private final ConcurrentHashMap<TopicName, Topic> topics = new ConcurrentHashMap<>();

  private final Set<Integer> deleting = ConcurrentHashMap.newKeySet();
  private final Set<ShardId> closing = ConcurrentHashMap.newKeySet();

  /** Ids of rows left by failed creations, at most {@code topics.max}. */
  private final Set<Integer> unmade = ConcurrentHashMap.newKeySet();

  /** The highest id of any topic that ever existed, as far as this process knows. */
  private final AtomicInteger highestId = new AtomicInteger();

  /** The topics of a process that is alone. */
  public TopicDirectory(TopicStore store, Queues queues, MailboxSettings settings) {
    this(store, queues, settings, null);
  }

  /** The topics of a node, which others change too. */
  public TopicDirectory(TopicStore store, Ticker ticker, Queues queues, MailboxSettings settings) {
    this(store, queues, settings, new SharedTopics(store, ticker));
  }

  private TopicDirectory(
      TopicStore store, Queues queues, MailboxSettings settings, @Nullable SharedTopics shared) {
    this.store = store;
    this.shared = shared;
    this.queues = queues;
    this.settings = settings;
    this.room = new TopicRoom(settings.topics().max(), settings.bounds().fairShare());
  }

  /**
   * Reads the topics.
   *
   * @param highestKnown all new topics get higher ids
   */
  public void load(int highestKnown) {
    highestId.set(highestKnown);
    if (shared == null) {
      store.after(SharedTopicStore.NOTHING).rows().forEach(this::load);
    } else {
      follow();
      // No worker has read them before.
      Set<TopicName> unused = shared.takeStale();
    }
  }

  private void load(Row row) {
    StoredTopic stored = row.topic();
    if (!row.isLive()) {
      // A cluster that ended before it had deleted the topic.
      deleting.add(stored.id());
    }
    gave(stored.id());
    room.occupy(stored.name());
    topics.put(stored.name(), snapshot(stored));
  }

  private void gave(int id) {
    int unused = highestId.accumulateAndGet(id, Math::max);
  }

  /**
   * Writes this directory's knowledge into a store that may have fallen back. Topics that were
   * created or changed since are written again, and those that were deleted are deleted again.
   *
   * @param named topics that batches name; one that is missing here was deleted
   */
  public void restore(Set<Integer> named) {
    if (shared != null) {
      // Rows of other nodes may be newer; the next look compares all.
      shared.doubt();
      return;
    }
    Map<TopicName, StoredTopic> rows = new HashMap<>();
    store.all().forEach(row -> rows.put(row.name(), row));
    Set<TopicName> names = new HashSet<>(rows.keySet());
    names.addAll(topics.keySet());
    names.forEach(name -> restore(name, rows.get(name)));
    Set<Integer> deleted = new HashSet<>(named);
    topics.values().forEach(topic -> deleted.remove(topic.id()));
    store.retire(deleted);
  }

  /**
   * Takes over what other nodes changed; for a node. Topics that the store lost in falling back are
   * written again. One thread at a time.
   *
   * @throws UnavailableException if the database is away; the next call goes on
   */
  public void follow() {
    SharedTopics others = requireNonNull(shared);
    SharedTopics.News news = others.read();
    for (Row row : news.rows()) {
      locks.run(row.topic().name(), () -> learn(others, row));
    }
    if (news.isAll()) {
      for (TopicName name : topics.keySet()) {
        locks.run(name, () -> compare(others, name, news));
      }
    }
    others.known(news);
  }

  /**
   * The topics that other nodes changed, and that workers may have read before; for a node. The
   * caller has the workers read them again.
   */
  public Set<TopicName> takeStale() {
    return requireNonNull(shared).takeStale();
  }

  /** Returns topics that workers could not read again. */
  public void stayStale(Set<TopicName> names) {
    requireNonNull(shared).stayStale(names);
  }

  /** The version of a topic's last change that this process knows; for a node. */
  public long version(TopicName name) {
    return requireNonNull(shared).version(name);
  }

  /** The version up to which this process knows all changes; for a node. */
  public long version() {
    return requireNonNull(shared).version();
  }

  /** Takes a row that is not older than what this process knows. The topic's lock is held. */
  private void learn(SharedTopics others, Row row) {
    int id = row.topic().id();
    Topic known = topics.get(row.topic().name());
    if (known != null && known.id() != id) {
      // Ids ascend, so the earlier of two topics of a name was deleted.
      if (known.id() < id) {
        letGo(others, known);
        // The later one is read again once workers have released this one.
        others.doubt();
      }
    } else if (!row.isLive()) {
      learnEnd(others, row, known);
    } else if (others.hasEnded(id)) {
      others.endAgain(row);
    } else {
      learn(others, row, known);
    }
  }

  private void learnEnd(SharedTopics others, Row row, @Nullable Topic known) {
    others.noteEnded(row.topic().id());
    if (known != null) {
      boolean unused = others.learn(row);
      letGo(others, known);
    }
  }

  /** Has the workers release a deleted topic, which takes no more messages from now on. */
  private void letGo(SharedTopics others, Topic known) {
    others.noteEnded(known.id());
    deleting.add(known.id());
    others.stayStale(Set.of(known.name()));
  }

  private void learn(SharedTopics others, Row row, @Nullable Topic known) {
    StoredTopic stored = row.topic();
    if (!others.learn(row) || (known != null && stored(known).equals(stored))) {
      return;
    }
    gave(stored.id());
    if (known == null) {
      room.occupy(stored.name());
    }
    topics.put(stored.name(), snapshot(stored));
    others.stayStale(Set.of(stored.name()));
  }

  /** Compares what this process knows with all rows. */
  private void compare(SharedTopics others, TopicName name, SharedTopics.News news) {
    Topic known = topics.get(name);
    if (known == null || deleting.contains(known.id())) {
      return;
    }
    if (others.isGone(name, news)) {
      letGo(others, known);
    } else if (others.isLost(name, news) && others.restore(stored(known))) {
      LOG.log(Level.WARNING, "The database fell back: the topic {0} is written again", name);
    }
  }

  /** A deleted topic that workers may still use; for a node. */
  public Optional<Topic> ending(TopicName name) {
    return find(name).filter(topic -> deleting.contains(topic.id()));
  }

  /** Removes a deleted topic, which no worker uses any more; for a node. */
  public void released(Topic topic) {
    SharedTopics others = requireNonNull(shared);
    locks.run(
        topic.name(),
        () -> {
          if (topics.remove(topic.name(), topic)) {
            room.giveBack(topic.name());
            others.forget(topic.name());
            queues.forget(topic.name());
            deleting.remove(topic.id());
          }
        });
  }

  /** The topics that are being deleted, by their rows; for a node. */
  public List<Row> ended() {
    return requireNonNull(shared).ended();
  }

  /** Whether the queues of a topic are gone, or it was not deleted; for a node. */
  public boolean isEmptied(TopicName name) {
    return requireNonNull(shared).find(name).filter(row -> row.stage() == Stage.ENDING).isEmpty();
  }

  /**
   * Removes the queues of a topic that is being deleted, once no node uses it; for a node. It can
   * be repeated.
   */
  public void empty(Row ended) {
    SharedTopics others = requireNonNull(shared);
    Topic topic = snapshot(ended.topic());
    queues.delete(topic, () -> others.isEnding(topic.id()) && !hasLater(topic));
    others.emptied(topic.id());
  }

  /** Whether a database that fell back has an earlier topic of this name. */
  private boolean hasLater(Topic topic) {
    Topic known = topics.get(topic.name());
    return known != null && known.id() > topic.id();
  }

  /** Frees the name of a topic without queues; for a node. */
  public void free(Row emptied) {
    requireNonNull(shared).remove(emptied.topic().id());
  }

  /** Before a change, so that it builds on the newest row. The topic's lock is held. */
  private void refresh(TopicName name) {
    if (shared != null) {
      Optional<Row> row = shared.find(name);
      row.ifPresent(found -> learn(shared, found));
      if (row.isEmpty() && topics.containsKey(name)) {
        throw new TopicChangingException("the topic " + name + " was deleted, or is written again");
      }
    }
  }

  /** Another node may have created the topic since the last look. */
  private @Nullable Topic known(TopicName name) {
    Topic known = topics.get(name);
    if (known == null && shared != null && shared.mayLookUp()) {
      locks.run(name, () -> refresh(name));
      known = topics.get(name);
    }
    return known;
  }

  private void restore(TopicName name, @Nullable StoredTopic row) {
    if (difference(row, topics.get(name)) != TopicDifference.NONE) {
      // Compared again while the topic cannot change, because a row that is ahead belongs to a
      // change in progress.
      locks.run(name, () -> writeAgain(name, row, topics.get(name)));
    }
  }

  private void writeAgain(TopicName name, @Nullable StoredTopic row, @Nullable Topic known) {
    switch (difference(row, known)) {
      case NONE -> {}
      case LOST_CHANGE -> {
        store.save(stored(requireNonNull(known)));
        LOG.log(Level.WARNING, "The database fell back: the topic {0} is written again", name);
      }
      case LOST_DELETION -> {
        store.delete(requireNonNull(row).id(), name);
        LOG.log(Level.WARNING, "The database fell back: the topic {0} is deleted again", name);
      }
    }
  }

  /**
   * A deletion in progress writes the row itself, and the row of a failed creation was not lost.
   */
  private TopicDifference difference(@Nullable StoredTopic row, @Nullable Topic known) {
    boolean isOurs =
        known == null ? row != null && unmade.contains(row.id()) : deleting.contains(known.id());
    return isOurs
        ? TopicDifference.NONE
        : TopicDifference.of(row, known == null ? null : stored(known));
  }

  private static StoredTopic stored(Topic topic) {
    return new StoredTopic(topic.id(), topic.name(), topic.state());
  }

  /** Finds a topic, or creates it if the settings allow that. */
  public Topic require(TopicName name) {
    Topic known = known(name);
    if (known != null) {
      return known;
    }
    if (!settings.topics().autoCreate()) {
      throw missing(name);
    }
    return ensure(name);
  }

  /** Throws if {@link #require} would find no topic and may not create it. */
  public void requireReachable(TopicName name) {
    if (!settings.topics().autoCreate()) {
      Topic unused = existing(name);
    }
  }

  /**
   * Creates {@link #UNSORTED}, even beyond {@code topics.max}, because its letters have no other
   * place.
   */
  public void requireUnsorted() {
    locks.run(
        UNSORTED,
        () -> {
          if (!topics.containsKey(UNSORTED)) {
            refresh(UNSORTED);
          }
          if (!topics.containsKey(UNSORTED)) {
            room.occupy(UNSORTED);
            Topic unused = begin(UNSORTED, TopicOverrides.NONE, 1);
          }
        });
  }

  public Optional<Topic> find(TopicName name) {
    return Optional.ofNullable(topics.get(name));
  }

  /**
   * Finds a topic without creating it.
   *
   * @throws NotFoundException if there is none
   */
  public Topic existing(TopicName name) {
    Topic known = known(name);
    if (known == null) {
      throw missing(name);
    }
    return known;
  }

  /** As above, while the topic's lock is held. */
  private Topic held(TopicName name) {
    return find(name).orElseThrow(() -> missing(name));
  }

  private static NotFoundException missing(TopicName name) {
    return new NotFoundException("there is no topic " + name);
  }

  /** How long dead letters are kept, even those of a deleted topic. */
  public Duration letterRetention(TopicName name) {
    return retention(name).dlq();
  }

  /** How long messages are kept, even those of a deleted topic. */
  public TopicRetention retention(TopicName name) {
    return find(name).map(Topic::settings).orElse(settings.defaults()).retention();
  }

  public List<Topic> all() {
    return List.copyOf(topics.values());
  }

  public int size() {
    return topics.size();
  }

  public List<Metric> metrics() {
    return room.metrics();
  }

  public int most() {
    return room.most();
  }

  /** The number of topics in each namespace. */
  public Map<String, Long> namespaces() {
    return room.namespaces();
  }

  /** Whether a snapshot's topic still exists and is not being deleted. */
  public boolean isCurrent(Topic topic) {
    return current(topic) != null;
  }

  private @Nullable Topic current(Topic topic) {
    // In this order: a deletion that ends in between has left the directory before. One that begins
    // in between needs the asking worker, so it cannot end before the answer.
    if (deleting.contains(topic.id())) {
      return null;
    }
    Topic known = topics.get(topic.name());
    return known != null && known.id() == topic.id() ? known : null;
  }

  /** Whether a shard chosen from an older snapshot still takes messages. */
  public boolean takesInto(Topic topic, ShardId shard) {
    Topic known = current(topic);
    return known != null && known.takesInto(shard);
  }

  /** Whether a topic has the shard and is not being deleted. */
  public boolean has(ShardId shard) {
    Topic known = topics.get(shard.topic());
    return known != null
        && !deleting.contains(known.id())
        && shard.index() < known.state().liveShards();
  }

  public boolean isPaused(TopicName name) {
    Topic known = topics.get(name);
    return known != null && known.state().paused();
  }

  /**
   * Shards that may hold messages; none of a topic that is being deleted, and no shard that is
   * being closed.
   */
  public List<ShardId> openShards(TopicName name) {
    // Read first: a shard closed in between is then missing from the directory.
    Set<ShardId> ending = Set.copyOf(closing);
    Set<Integer> going = Set.copyOf(deleting);
    Topic known = topics.get(name);
    return known == null || going.contains(known.id())
        ? List.of()
        : without(ending, known.shards());
  }

  /** The open shards with a routing slot. */
  public List<ShardId> shardsInSlot(int slot) {
    // Read first, as above.
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
   * Creates a topic or replaces its overrides; returns whether it was created. Surplus shards take
   * no more messages, and {@link #closeEmpty} removes them once empty.
   *
   * @param before gets the topic, or null for none, while it cannot change; nothing happens if it
   *     throws
   * @throws UnavailableException if the topic is being deleted
   */
  public boolean put(TopicName name, TopicOverrides overrides, Consumer<@Nullable Topic> before) {
    requireSense(overrides);
    return locks.call(
        name,
        () -> {
          refresh(name);
          Topic known = topics.get(name);
          if (known == null) {
            before.accept(null);
            Topic unused = create(name, overrides);
          } else {
            before.accept(staying(known));
            topics.put(name, change(known, overrides));
          }
          return known == null;
        });
  }

  /**
   * Changes the overrides of a topic; see {@link #put}.
   *
   * @param change gets the topic while it cannot change; nothing happens if it throws
   * @throws NotFoundException if there is none
   */
  public void change(TopicName name, Function<Topic, TopicOverrides> change) {
    update(
        name,
        known -> {
          TopicOverrides overrides = change.apply(known);
          requireSense(overrides);
          return change(known, overrides);
        });
  }

  /** Throws {@link NotFoundException} if the topic does not exist. */
  public void pause(TopicName name, boolean paused) {
    update(
        name,
        known -> {
          Topic next = snapshot(known.id(), name, known.state().withPaused(paused));
          save(next);
          return next;
        });
  }

  /**
   * Runs {@code work} while the topic can neither change nor be deleted; the topic is null if it is
   * missing or being deleted. {@code work} must not change a topic itself.
   */
  public <T extends @Nullable Object> T whileSteady(
      TopicName name, Function<@Nullable Topic, T> work) {
    return locks.call(
        name,
        () -> {
          Topic known = topics.get(name);
          return work.apply(known == null ? null : current(known));
        });
  }

  /**
   * Closes the last surplus shard if it is empty; returns whether it did. While the shard is not
   * {@link #openShards open}, {@code letGo} tells whether it is empty and unused.
   */
  public boolean closeEmpty(TopicName name, Predicate<ShardId> letGo) {
    return locks.call(
        name,
        () -> {
          Topic known = topics.get(name);
          return known != null
              && known.isRebalancing()
              && isCurrent(known)
              && closeLast(known, letGo);
        });
  }

  private boolean closeLast(Topic known, Predicate<ShardId> letGo) {
    ShardId last = known.shard(known.state().liveShards() - 1);
    closing.add(last);
    try {
      if (!letGo.test(last)) {
        return false;
      }
      Topic left = snapshot(known.id(), known.name(), known.state().withoutLastShard());
      store.save(stored(left));
      deleteQueue(last);
      topics.put(known.name(), left);
      return true;
    } finally {
      closing.remove(last);
    }
  }

  /** After the shard's row, so that every shard in a row has a queue. */
  private void deleteQueue(ShardId shard) {
    try {
      queues.delete(shard);
    } catch (UnavailableException e) {
      LOG.log(
          Level.WARNING,
          "{0} is closed, but its empty queue was not removed: {1}",
          shard,
          e.toString());
    }
  }

  /**
   * Deletes a topic: first from this directory, then its data. After a failure it stays {@link
   * #unfinished} until this is repeated. {@code letGo} waits until no worker uses it.
   *
   * <p>A node only begins the deletion, which the others learn. Its queues go once they all know.
   */
  public void delete(TopicName name, Consumer<Topic> letGo) {
    locks.run(
        name,
        () -> {
          if (shared == null) {
            delete(held(name), letGo);
          } else {
            end(shared, name);
          }
        });
  }

  /** A topic that has no queues any more counts as missing. */
  private void end(SharedTopics others, TopicName name) {
    Row row =
        others
            .find(name)
            .filter(found -> found.stage() != Stage.EMPTIED)
            .orElseThrow(() -> missing(name));
    learn(others, row);
    if (row.isLive()) {
      learn(others, others.end(row));
    }
  }

  private void delete(Topic known, Consumer<Topic> letGo) {
    deleting.add(known.id());
    letGo.accept(known);
    queues.delete(known);
    store.delete(known.id(), known.name());
    topics.remove(known.name());
    room.giveBack(known.name());
    // Last, so that the old snapshot never counts as current.
    deleting.remove(known.id());
  }

  /** Topics whose deletion has begun but not ended. */
  public List<TopicName> unfinished() {
    return shared != null || deleting.isEmpty()
        ? List.of()
        : topics.values().stream()
            .filter(topic -> deleting.contains(topic.id()))
            .map(Topic::name)
            .toList();
  }

  /** Recreates missing queues, except of a topic being deleted. */
  public void mend(TopicName name) {
    locks.run(
        name,
        () -> {
          refresh(name);
          find(name).filter(this::isCurrent).ifPresent(queues::create);
        });
  }

  private Topic ensure(TopicName name) {
    return locks.call(name, () -> find(name).orElseGet(() -> create(name, TopicOverrides.NONE)));
  }

  private Topic create(TopicName name, TopicOverrides overrides) {
    if (name.isDots()) {
      throw new SchemaException("topic", "must not be . or ..");
    }
    room.take(name);
    return begin(name, overrides, overrides.over(settings.defaults()).readyShards());
  }

  /** Creates a topic for which room is reserved, or releases the room. */
  private Topic begin(TopicName name, TopicOverrides overrides, int shards) {
    return shared == null
        ? make(name, overrides, shards)
        : share(shared, name, TopicState.fresh(overrides, shards));
  }

  /** Creates a topic that other nodes see from when its row is there. */
  private Topic share(SharedTopics others, TopicName name, TopicState fresh) {
    Topic topic;
    try {
      queues.requireAnswer();
      topic = snapshot(others.create(name, fresh, highestId.get()));
    } catch (RuntimeException | Error e) {
      room.giveBack(name);
      throw e;
    }
    gave(topic.id());
    topics.put(name, topic);
    // If that fails, the next change of the topic, or a message for it, creates them.
    queues.create(topic);
    return topic;
  }

  private Topic make(TopicName name, TopicOverrides overrides, int shards) {
    try {
      Topic made = made(name, overrides, shards);
      topics.put(name, made);
      return made;
    } catch (RuntimeException | Error e) {
      room.giveBack(name);
      throw e;
    }
  }

  private Topic made(TopicName name, TopicOverrides overrides, int shards) {
    // Otherwise each call during an outage would write a row and use up an id.
    queues.requireAnswer();
    TopicState fresh = TopicState.fresh(overrides, shards);
    Topic topic = snapshot(store.create(name, fresh, highestId.get()));
    gave(topic.id());
    try {
      queues.create(topic);
    } catch (RuntimeException e) {
      unmake(topic, e);
      throw e;
    }
    return topic;
  }

  /**
   * Removes the remains of a topic whose creation failed. If that fails too, the row stays: a start
   * that finds queues without a row would create a topic with other settings.
   */
  private void unmake(Topic topic, RuntimeException failure) {
    try {
      topic.shards().forEach(queues::delete);
      store.delete(topic.id(), topic.name());
    } catch (UnavailableException e) {
      failure.addSuppressed(e);
      if (unmade.size() < settings.topics().max()) {
        unmade.add(topic.id());
      }
    }
  }

  private Topic change(Topic known, TopicOverrides overrides) {
    Topic changed = changed(known, overrides);
    if (shared != null) {
      requireSameShards(known, changed);
      // Its creation may lack some, here or at another node.
      queues.create(changed);
    } else if (changed.state().liveShards() > known.state().liveShards()) {
      // Before the topic's row, so that every shard in the row has a queue.
      queues.create(changed);
    }
    save(changed);
    return changed;
  }

  /** Keys would lead to other groups than those that remember them. */
  private static void requireSameShards(Topic known, Topic changed) {
    if (known.settings().readyShards() != changed.settings().readyShards()) {
      throw new NotClusteredException();
    }
  }

  private void save(Topic topic) {
    if (shared == null) {
      store.save(stored(topic));
    } else {
      shared.replace(stored(topic));
    }
  }

  private Topic changed(Topic known, TopicOverrides overrides) {
    Integer asked = overrides.readyShards();
    int shards = asked != null ? asked : known.settings().readyShards();
    return snapshot(known.id(), known.name(), known.state().with(overrides, shards));
  }

  private void update(TopicName name, UnaryOperator<Topic> change) {
    locks.run(
        name,
        () -> {
          refresh(name);
          topics.put(name, change.apply(staying(held(name))));
        });
  }

  private Topic staying(Topic known) {
    if (!isCurrent(known)) {
      String why = "the topic " + known.name() + " is being deleted";
      throw shared == null ? new UnavailableException(why) : new TopicChangingException(why);
    }
    return known;
  }

  /** Checks fields against each other; the overrides check each field alone. */
  private void requireSense(TopicOverrides overrides) {
    TopicSettings made = overrides.over(settings.defaults());
    Ranges ranges = new Ranges();
    // More could never wait, because the inbox of the shard's worker would be full.
    ranges.within("shard_capacity", overrides.shardCapacity(), 1, settings.inboxCapacity());
    Duration visibility = made.defaultVisibility();
    ranges.within(
        "default_visibility", visibility, settings.visibility().min(), settings.visibility().max());
    ranges.within("backoff_max", made.backoffMax(), made.backoffBase(), DAY);
    ranges.within("retention_inflight", made.retention().inflight(), visibility, YEAR);
    ranges.end();
  }

  private Topic snapshot(StoredTopic stored) {
    return snapshot(stored.id(), stored.name(), stored.state());
  }

  private Topic snapshot(int id, TopicName name, TopicState state) {
    return new Topic(id, name, state, state.overrides().over(settings.defaults()));
  }
}
