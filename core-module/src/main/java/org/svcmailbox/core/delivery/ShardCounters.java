package org.svcmailbox.core.delivery;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** The load of one shard. Any thread. */
final class ShardCounters {
  private final TopicCounters topic;
  private final CapacityLimit pending;
  private final AtomicInteger inflight = new AtomicInteger();
  private final AtomicLong depth = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private volatile long readySince = Long.MAX_VALUE;
  private volatile long prefetchedSince = Long.MAX_VALUE;
  private volatile int reorderDepth;

  /**
   * @param refused counts SENDs that the shard has no room for
   */
  ShardCounters(TopicCounters topic, Ticker ticker, LongAdder refused) {
    this.topic = topic;
    this.pending =
        new CapacityLimit("shard_capacity", "the shard is saturated", 0, ticker, refused);
  }

  TopicCounters topic() {
    return topic;
  }

  CapacityLimit pending() {
    return pending;
  }

  void inflight(int change) {
    inflight.addAndGet(change);
  }

  int inflight() {
    return inflight.get();
  }

  /** Messages in its queue: waiting, delayed or leased. */
  long depth() {
    return depth.get();
  }

  /** Messages in its queue that are not leased. */
  long waiting() {
    return Math.max(0, depth() - inflight());
  }

  /** Bytes of the queue in the broker. */
  long bytes() {
    return bytes.get();
  }

  /** Only for the shard's worker. */
  void change(long messages, long size) {
    depth.addAndGet(messages);
    topic.messages().add(messages);
    bytes.addAndGet(size);
    topic.bytes().add(size);
  }

  /** Adopts the queue's counts. For its worker only, or before that starts. */
  void recount(Broker.Held actual) {
    change(actual.messages() - depth(), actual.bytes() - bytes());
  }

  /** Age of the oldest ready message in milliseconds; 0 when none is ready. */
  long oldestReadyAge(long now) {
    return waiting() == 0
        ? 0
        : Math.max(0, now - Math.min(now, Math.min(readySince, prefetchedSince)));
  }

  /** Age of the oldest prefetched message in milliseconds. */
  long prefetchedAge(long now) {
    return Math.max(0, now - Math.min(now, prefetchedSince));
  }

  /** As the broker sees it; {@code Long.MAX_VALUE} for none. */
  void readySince(long millis) {
    readySince = millis;
  }

  /** {@code Long.MAX_VALUE} for none. */
  void prefetchedSince(long millis) {
    prefetchedSince = millis;
  }

  /** The greatest {@link ReorderDepth} so far. */
  int reorderDepth() {
    return reorderDepth;
  }

  /** Only for the shard's worker. */
  void reordered(int by) {
    reorderDepth = Math.max(reorderDepth, by);
  }
}
