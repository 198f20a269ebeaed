package org.svcmailbox.core.bounds;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.time.Ticker;

/** The load of one shard. Any thread. */
public final class ShardCounters {
  private final TopicCounters topic;
  private final CapacityLimit pending;
  private final AtomicInteger inflight = new AtomicInteger();
  private final AtomicLong depth = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private volatile long readySince = Long.MAX_VALUE;
  private volatile long prefetchedSince = Long.MAX_VALUE;
  private volatile int reorderDepth;
  private volatile long scheduled;

  /**
   * @param refused counts SENDs for which the shard has no room
   */
  public ShardCounters(TopicCounters topic, Ticker ticker, LongAdder refused) {
    this.topic = topic;
    this.pending =
        new CapacityLimit("shard_capacity", "the shard is saturated", 0, ticker, refused);
  }

  public TopicCounters topic() {
    return topic;
  }

  public CapacityLimit pending() {
    return pending;
  }

  public void inflight(int change) {
    inflight.addAndGet(change);
  }

  public int inflight() {
    return inflight.get();
  }

  /** Messages in its queue: waiting, delayed or leased. */
  public long depth() {
    return depth.get();
  }

  /** Messages in its queue that are not leased. */
  public long waiting() {
    return Math.max(0, depth() - inflight());
  }

  /** Messages that wait for their time, as last seen. */
  public long scheduled() {
    return Math.min(scheduled, waiting());
  }

  public void scheduled(long seen) {
    scheduled = seen;
  }

  /** Bytes of the queue in the broker. */
  public long bytes() {
    return bytes.get();
  }

  /** For the shard's worker only. */
  public void change(long messages, long size) {
    depth.addAndGet(messages);
    topic.messages().add(messages);
    bytes.addAndGet(size);
    topic.bytes().add(size);
  }

  /** Adopts the queue's counts. For the shard's worker only, or before that starts. */
  public void recount(Broker.Held actual) {
    change(actual.messages() - depth(), actual.bytes() - bytes());
  }

  /** Age of the oldest ready message in milliseconds; 0 when none is ready. */
  public long oldestReadyAge(long now) {
    return waiting() == 0
        ? 0
        : Math.max(0, now - Math.min(now, Math.min(readySince, prefetchedSince)));
  }

  /** Age of the oldest prefetched message in milliseconds. */
  public long prefetchedAge(long now) {
    return Math.max(0, now - Math.min(now, prefetchedSince));
  }

  /** Epoch milliseconds of the broker; {@code Long.MAX_VALUE} if none is ready. */
  public void readySince(long millis) {
    readySince = millis;
  }

  /** Epoch milliseconds; {@code Long.MAX_VALUE} if none is prefetched. */
  public void prefetchedSince(long millis) {
    prefetchedSince = millis;
  }

  /** The greatest {@code ReorderDepth} so far. */
  public int reorderDepth() {
    return reorderDepth;
  }

  /** For the shard's worker only. */
  public void reordered(int by) {
    reorderDepth = Math.max(reorderDepth, by);
  }
}
