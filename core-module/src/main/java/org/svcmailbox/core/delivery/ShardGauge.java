package org.svcmailbox.core.delivery;

import java.util.concurrent.atomic.AtomicInteger;

/** How busy one shard is, readable from any thread. */
final class ShardGauge {
  private final Bound pending;
  private final AtomicInteger inflight = new AtomicInteger();

  ShardGauge(Ticker ticker) {
    this.pending = new Bound("shard_capacity", "the shard is saturated", 0, ticker);
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
