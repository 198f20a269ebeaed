package org.svcmailbox.core.topic;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.TopicChangingException;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.SharedTopicStore.Changes;
import org.svcmailbox.core.topic.SharedTopicStore.Row;
import org.svcmailbox.core.topic.SharedTopicStore.Stage;
import org.svcmailbox.core.topic.TopicStore.StoredTopic;

/**
 * The rows of topics that other nodes change too, with the versions that this process knows. A
 * topic's version only changes while the topic's lock is held.
 */
final class SharedTopics {
  /** Looks for single names in a second; an answered creation is known without one. */
  static final int LOOKUPS = 100;

  /** Deletions that this process remembers; the oldest are forgotten first. */
  static final int MOST_ENDED = 10_000;

  private static final Logger LOG = System.getLogger(SharedTopics.class.getName());
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final SharedTopicStore store;
  private final Ticker ticker;
  private final Map<TopicName, Long> versions = new ConcurrentHashMap<>();

  /** Topics that changed, and that workers may have read before. */
  private final Set<TopicName> stale = ConcurrentHashMap.newKeySet();

  /** Ids of deleted topics. A database that fell back may have them again. */
  private final Set<Integer> ended = Collections.newSetFromMap(new Ended());

  /** The highest version that this process has seen. */
  private final AtomicLong highest = new AtomicLong(SharedTopicStore.NOTHING);

  private volatile long version = SharedTopicStore.NOTHING;

  /** How often the store may have fallen back, and of which of them all rows were compared. */
  private final AtomicLong doubts = new AtomicLong(1);

  private volatile long settled;
  private long window;
  private int lookups;

  SharedTopics(SharedTopicStore store, Ticker ticker) {
    this.store = store;
    this.ticker = ticker;
    this.window = ticker.nanos();
  }

  private static final class Ended extends LinkedHashMap<Integer, Boolean> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
      return size() > MOST_ENDED;
    }
  }

  /**
   * Rows that may be new.
   *
   * @param doubt of which they are all rows, so that any other one was lost or deleted; 0 for none
   * @param removed the highest version of a removed row
   */
  record News(long version, Map<TopicName, Row> byName, long doubt, long removed) {
    private static News of(Changes changes, long doubt) {
      return new News(
          changes.version(),
          changes.rows().stream()
              .collect(Collectors.toMap(row -> row.topic().name(), Function.identity())),
          doubt,
          changes.removed());
    }

    boolean isAll() {
      return doubt > 0;
    }

    List<Row> rows() {
      return List.copyOf(byName.values());
    }
  }

  /** Has the next look read all rows, because the store may have fallen back. */
  void doubt() {
    long unused = doubts.incrementAndGet();
  }

  /**
   * Reads what changed since the last look. It reads all rows if the store may have fallen back, or
   * if this process may have missed a deletion.
   */
  News read() {
    if (doubts.get() == settled) {
      // First, because this process may make a change meanwhile.
      long known = highest.get();
      Changes changes = store.after(version);
      if (changes.version() >= known && changes.removed() <= version) {
        return News.of(changes, 0);
      }
      doubt();
    }
    long doubt = doubts.get();
    return News.of(store.after(SharedTopicStore.NOTHING), doubt);
  }

  /** Records that this process knows all of a look. */
  void known(News news) {
    version = news.version();
    if (news.isAll()) {
      settled = news.doubt();
      // A store that fell back counts from an earlier version.
      highest.set(versions.values().stream().mapToLong(Long::longValue).max().orElse(0));
    }
    highest.accumulateAndGet(news.version(), Math::max);
  }

  private void note(TopicName name, long known) {
    versions.put(name, known);
    highest.accumulateAndGet(known, Math::max);
  }

  Set<TopicName> takeStale() {
    Set<TopicName> taken = Set.copyOf(stale);
    stale.removeAll(taken);
    return taken;
  }

  void stayStale(Set<TopicName> names) {
    stale.addAll(names);
  }

  /** The version up to which this process knows all changes. */
  long version() {
    return version;
  }

  /** The version of a topic's last change that this process knows. */
  long version(TopicName name) {
    return versions.getOrDefault(name, SharedTopicStore.NOTHING);
  }

  /** Records a row unless this process knows a newer one; returns whether it did. */
  boolean learn(Row row) {
    boolean isOld = row.version() < version(row.topic().name());
    if (!isOld) {
      note(row.topic().name(), row.version());
    }
    return !isOld;
  }

  /** Forgets a topic that no worker uses any more. */
  void forget(TopicName name) {
    Long unused = versions.remove(name);
  }

  /** Records that a topic was deleted. */
  void noteEnded(int id) {
    synchronized (ended) {
      boolean unused = ended.add(id);
    }
  }

  /** Whether this process knows that a topic was deleted. */
  boolean hasEnded(int id) {
    synchronized (ended) {
      return ended.contains(id);
    }
  }

  /**
   * Begins the deletion of a topic.
   *
   * @throws TopicChangingException if another node was faster
   */
  Row end(Row row) {
    TopicName name = row.topic().name();
    return written(name, store.end(row.topic(), row.version()));
  }

  /** Deletes a topic that a store has again after falling back. */
  void endAgain(Row row) {
    if (store.end(row.topic(), row.version()).isPresent()) {
      TopicName name = row.topic().name();
      LOG.log(Level.WARNING, "The database fell back: the topic {0} is deleted again", name);
    }
  }

  /** The topics whose deletion has begun. */
  List<Row> ended() {
    return store.ended();
  }

  /** Whether a topic's queues may still be there. */
  boolean isEnding(int id) {
    return ended().stream().anyMatch(row -> row.topic().id() == id && row.stage() == Stage.ENDING);
  }

  /** Records that a topic's queues are gone. */
  void emptied(int id) {
    store.emptied(id);
  }

  /** Frees the name of a topic without queues. */
  void remove(int id) {
    store.remove(id);
  }

  Optional<Row> find(TopicName name) {
    return store.row(name);
  }

  /** Whether another name may be looked up in this second. */
  synchronized boolean mayLookUp() {
    long now = ticker.nanos();
    if (now - window >= SECOND) {
      window = now;
      lookups = 0;
    }
    return lookups++ < LOOKUPS;
  }

  /**
   * Creates a topic's row.
   *
   * @throws TopicChangingException if another node was faster
   */
  StoredTopic create(TopicName name, TopicState state, int above) {
    return written(name, store.add(name, state, above)).topic();
  }

  /**
   * Changes a topic's row.
   *
   * @throws TopicChangingException if another node was faster
   */
  void replace(StoredTopic topic) {
    Row unused = written(topic.name(), store.replace(topic, version(topic.name())));
  }

  private Row written(TopicName name, Optional<Row> row) {
    Row written =
        row.orElseThrow(() -> new TopicChangingException("another node changed the topic " + name));
    note(name, written.version());
    return written;
  }

  /** Whether a topic's row was removed behind this process, which missed the deletion. */
  boolean isGone(TopicName name, News all) {
    return !all.byName().containsKey(name) && all.removed() > version;
  }

  /** Whether all rows lack what this process knows of a topic. */
  boolean isLost(TopicName name, News all) {
    Row row = all.byName().get(name);
    return row == null || row.version() < version(name);
  }

  /** Writes a topic again; returns whether it did, because no node was faster. */
  boolean restore(StoredTopic known) {
    Optional<Row> restored = store.writeAgain(known, version(known.name()));
    restored.ifPresent(row -> note(known.name(), row.version()));
    return restored.isPresent();
  }
}
