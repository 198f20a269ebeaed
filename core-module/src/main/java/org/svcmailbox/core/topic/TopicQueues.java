package org.svcmailbox.core.topic;

import org.jspecify.annotations.Nullable;

/**
 * The queues of one topic in the broker.
 *
 * @param id the id of their topic; null if unknown
 * @param shards one more than the highest shard with a queue
 * @param hasFirst whether shard 0 has a queue: the first that a deletion removes, and never closed
 */
public record TopicQueues(@Nullable Integer id, int shards, boolean hasFirst) {
  public static final TopicQueues NONE = new TopicQueues(null, 0, false);

  /** The queue of one shard. */
  public static TopicQueues of(int shard) {
    return new TopicQueues(null, shard + 1, shard == 0);
  }

  /** Only the mark, which states the topic's id. */
  public static TopicQueues marked(int id) {
    return new TopicQueues(id, 0, false);
  }

  /** Adds other queues of the same topic; of two ids, the later one counts. */
  public TopicQueues and(TopicQueues more) {
    Integer later = id == null || (more.id != null && more.id > id) ? more.id : id;
    return new TopicQueues(later, Math.max(shards, more.shards), hasFirst || more.hasFirst);
  }
}
