package org.svcmailbox.core.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.SharedTopicStore.Row;
import org.svcmailbox.core.topic.TopicDirectory;

/**
 * Finishes the deletions of topics for all nodes. Each step can be repeated, by another node too.
 * One thread takes them.
 */
final class TopicEndings {
  /**
   * How long the name of a topic without queues stays taken. A connection of a node that stopped
   * while it removed them has ended by then, so it removes no queue of a later topic.
   */
  static final Duration TAKEN = Duration.ofSeconds(10);

  private static final Logger LOG = System.getLogger(TopicEndings.class.getName());

  private final TopicDirectory topics;
  private final LongPredicate known;
  private final Ticker ticker;

  /** By id: when this process found that a topic has no queues. */
  private final Map<Integer, Long> emptied = new HashMap<>();

  /**
   * @param known whether every node, this one included, knows the changes up to a version
   */
  TopicEndings(TopicDirectory topics, LongPredicate known, Ticker ticker) {
    this.topics = topics;
    this.known = known;
    this.ticker = ticker;
  }

  /** Does what is due, once. Throws {@link UnavailableException} if the database is away. */
  void step() {
    List<Row> ended = topics.ended();
    emptied.keySet().retainAll(ended.stream().map(row -> row.topic().id()).toList());
    ended.forEach(this::step);
  }

  private void step(Row row) {
    try {
      switch (row.stage()) {
        case LIVE -> {}
        case ENDING -> empty(row);
        case EMPTIED -> free(row);
      }
    } catch (UnavailableException e) {
      LOG.log(Level.DEBUG, "The deletion of {0} continues: {1}", row.topic().name(), e.toString());
    }
  }

  private void empty(Row row) {
    if (known.test(row.version())) {
      topics.empty(row);
      LOG.log(Level.INFO, "The topic {0} is deleted", row.topic().name());
    }
  }

  private void free(Row row) {
    long now = ticker.nanos();
    long since = emptied.computeIfAbsent(row.topic().id(), unknown -> now);
    if (now - since >= TAKEN.toNanos()) {
      topics.free(row);
    }
  }
}
