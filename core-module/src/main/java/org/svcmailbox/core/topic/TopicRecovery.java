package org.svcmailbox.core.topic;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.TopicStore.StoredTopic;

/**
 * Compares the table of topics with the broker's queues at a start, and writes what the table
 * lacks. The queues are the truth: a topic with an answered message has queues, and they state its
 * id.
 */
public final class TopicRecovery {
  private static final Logger LOG = System.getLogger(TopicRecovery.class.getName());

  /**
   * For a topic whose own settings are lost: no dead letter is removed before an operator sets
   * them.
   */
  private static final TopicOverrides UNKNOWN =
      new TopicOverrides(
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          new RetentionOverrides(null, null, null, null, Duration.ofDays(365), 100_000_000));

  private final TopicStore store;
  private final Map<TopicName, StoredTopic> rows = new HashMap<>();
  private final Map<TopicName, TopicQueues> queues;

  /** Topics whose deletion goes on. */
  private final Set<TopicName> ended;

  /** The ids that queues state. */
  private final Set<Integer> said;

  private int highestId;

  /** Reads the table. Nothing is written before {@link #run}. */
  public TopicRecovery(TopicStore store, Map<TopicName, TopicQueues> queues) {
    this.store = store;
    this.queues = queues;
    this.said =
        queues.values().stream()
            .flatMap(one -> Stream.ofNullable(one.id()))
            .collect(Collectors.toSet());
    this.ended = store.ended().stream().map(row -> row.topic().name()).collect(Collectors.toSet());
    store.all().forEach(row -> rows.put(row.name(), row));
    rows.values().forEach(row -> named(row.id()));
    said.forEach(this::named);
  }

  private void named(int id) {
    highestId = Math.max(highestId, id);
  }

  /**
   * Marks these ids as used. A log also names deleted topics. If the database falls back to before
   * such a topic, another topic could get its id and inherit its keys.
   */
  public void named(Set<Integer> ids) {
    ids.forEach(this::named);
  }

  /** The highest id that a topic is known to have had. */
  public int highestId() {
    return highestId;
  }

  /**
   * The topics among {@code unknown} that are lost. A topic whose id a queue states is created
   * again. Any other one was deleted, provided that all topics' queues state an id.
   */
  public Set<Integer> lost(Set<Integer> unknown) {
    boolean sayTheirIds =
        queues.values().stream().allMatch(one -> one.shards() == 0 || one.id() != null);
    Set<Integer> lost = new HashSet<>(sayTheirIds ? Set.of() : unknown);
    lost.removeAll(said);
    return lost;
  }

  /**
   * Writes the table. It can be repeated.
   *
   * @param unknown topics that batches name and the database does not know
   * @param renews whether a topic without queues was deleted; false if the broker itself is older
   */
  public void run(Set<Integer> unknown, boolean renews) {
    Set<TopicName> names = new TreeSet<>(rows.keySet());
    names.addAll(queues.keySet());
    names.removeAll(ended);
    for (TopicName name : names) {
      TopicQueues there = queues.getOrDefault(name, TopicQueues.NONE);
      TopicRepair repair = TopicRepair.of(rows.get(name), there);
      if (repair != TopicRepair.NONE && (renews || repair != TopicRepair.RENEW)) {
        repair(repair, name, there);
        LOG.log(Level.WARNING, "The topic {0} {1}", name, repair.text());
      }
    }
    retire(unknown);
  }

  private void repair(TopicRepair repair, TopicName name, TopicQueues there) {
    TopicState state = state(rows.get(name), there);
    Integer id = repair == TopicRepair.RENEW ? null : id(rows.get(name), there);
    if (id == null) {
      named(store.create(name, state, highestId).id());
    } else {
      store.save(new StoredTopic(id, name, state));
    }
  }

  private static @Nullable Integer id(@Nullable StoredTopic row, TopicQueues there) {
    Integer id = there.id();
    if (row == null || (id != null && id > row.id())) {
      return id;
    }
    return row.id();
  }

  private static TopicState state(@Nullable StoredTopic row, TopicQueues there) {
    return row == null
        ? TopicState.fresh(UNKNOWN, there.shards())
        : row.state().withShards(there.shards());
  }

  private void retire(Set<Integer> unknown) {
    Set<Integer> deleted = new HashSet<>(unknown);
    deleted.removeAll(said);
    if (!deleted.isEmpty()) {
      store.retire(deleted);
      LOG.log(
          Level.WARNING, "Marked topics {0} as deleted, which the database did not know", deleted);
    }
  }
}
