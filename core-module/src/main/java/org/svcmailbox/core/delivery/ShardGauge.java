package org.svcmailbox.core.delivery;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** How busy one shard is, readable from any thread. */
final class ShardGauge {
  private final Bound pending;
  private final AtomicInteger inflight = new AtomicInteger();

  /**
   * @param refused where the SENDs are counted that the shard has no room for
   */
  ShardGauge(Ticker ticker, LongAdder refused) {
    this.pending = new Bound("shard_capacity", "the shard is saturated", 0, ticker, refused);
  }

  /** SENDs that wait for the worker. */
  Bound pending() {
    return pending;
  }

  void inflight(int change) {
    inflight.addAndGet(change);
  }

  int inflight() {
    return inflight.get();
  }
}
