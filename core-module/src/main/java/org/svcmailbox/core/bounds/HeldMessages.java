package org.svcmailbox.core.bounds;

import java.util.List;
import org.svcmailbox.core.topic.ShardId;

/**
 * The messages of a topic, from memory.
 *
 * @param scheduled wait for their time, as last seen
 * @param oldestMillis the age of the oldest ready one; 0 without one
 */
public record HeldMessages(long ready, long scheduled, long inflight, long oldestMillis) {
  /** Adds up the shards of a topic. */
  static HeldMessages of(Limits limits, List<ShardId> shards, long nowMillis) {
    long ready = 0;
    long scheduled = 0;
    long inflight = 0;
    long oldest = 0;
    for (ShardId id : shards) {
      ShardCounters shard = limits.counters(id);
      long later = shard.scheduled();
      scheduled += later;
      ready += Math.max(0, shard.waiting() - later);
      inflight += shard.inflight();
      oldest = Math.max(oldest, shard.oldestReadyAge(nowMillis));
    }
    return new HeldMessages(ready, scheduled, inflight, oldest);
  }
}
