package org.svcmailbox.core.delivery;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** How busy one shard is, readable from any thread. */
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
   * @param refused where the SENDs are counted that the shard has no room for
   */
  ShardCounters(TopicCounters topic, Ticker ticker, LongAdder refused) {
    this.topic = topic;
    this.pending =
        new CapacityLimit("shard_capacity", "the shard is saturated", 0, ticker, refused);
  }

  /** Its topic's. */
  TopicCounters topic() {
    return topic;
  }

  /** SENDs that wait for the worker. */
  CapacityLimit pending() {
    return pending;
  }

  void inflight(int change) {
    inflight.addAndGet(change);
  }

  int inflight() {
    return inflight.get();
  }

  /** What its queue holds: waiting, delayed or under a lease. */
  long depth() {
    return depth.get();
  }

  /** What its queue holds and nobody has a lease of. */
  long waiting() {
    return Math.max(0, depth() - inflight());
  }

  /** The bytes that these take in the broker. */
  long bytes() {
    return bytes.get();
  }

  /** So much more, or less, is in its queue. Only its worker calls this. */
  void change(long messages, long size) {
    depth.addAndGet(messages);
    topic.messages().add(messages);
    bytes.addAndGet(size);
    topic.bytes().add(size);
  }

  /** Takes the counts of its queue over. Only for its worker, and before that starts. */
  void recount(Broker.Held actual) {
    change(actual.messages() - depth(), actual.bytes() - bytes());
  }

  /** How long the oldest message has been ready, in milliseconds; 0 when none is. */
  long oldestReadyAge(long now) {
    return waiting() == 0
        ? 0
        : Math.max(0, now - Math.min(now, Math.min(readySince, prefetchedSince)));
  }

  /** The same of what the worker has at hand only. */
  long prefetchedAge(long now) {
    return Math.max(0, now - Math.min(now, prefetchedSince));
  }

  /** As the broker sees it; {@code Long.MAX_VALUE} when nothing is. */
  void readySince(long millis) {
    readySince = millis;
  }

  /** Of what the worker has taken over and nobody holds; {@code Long.MAX_VALUE} if nothing. */
  void prefetchedSince(long millis) {
    prefetchedSince = millis;
  }

  /** The most that deliveries were ever out of order. */
  int reorderDepth() {
    return reorderDepth;
  }

  /** Deliveries were so far out of order. Only its worker calls this. */
  void reordered(int by) {
    reorderDepth = Math.max(reorderDepth, by);
  }
}
