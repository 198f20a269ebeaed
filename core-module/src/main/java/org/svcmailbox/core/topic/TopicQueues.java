package org.svcmailbox.core.topic;

import org.jspecify.annotations.Nullable;

/**
 * The queues that the broker has of one topic.
 *
 * @param id the id of their topic; null if unknown
 * @param shards one more than the highest shard with a queue
 * @param hasFirst whether shard 0 has a queue: the first that a deletion removes, and never closed
 */
public record TopicQueues(@Nullable Integer id, int shards, boolean hasFirst) {
  public static final TopicQueues NONE = new TopicQueues(null, 0, false);

  /** Of one shard. */
  public static TopicQueues of(int shard) {
    return new TopicQueues(null, shard + 1, shard == 0);
  }

  /** Only what says the topic's id. */
  public static TopicQueues marked(int id) {
    return new TopicQueues(id, 0, false);
  }

  /** These and other queues of the same topic; of two ids the later one. */
  public TopicQueues and(TopicQueues more) {
    Integer later = id == null || (more.id != null && more.id > id) ? more.id : id;
    return new TopicQueues(later, Math.max(shards, more.shards), hasFirst || more.hasFirst);
  }
}
