package org.svcmailbox.core.delivery;

import java.util.concurrent.atomic.AtomicInteger;

/** How busy one shard is, readable from any thread. */
final class ShardGauge {
  private final AtomicInteger pending = new AtomicInteger();
  private final AtomicInteger inflight = new AtomicInteger();

  /** Counts a command that waits for the worker, unless {@code capacity} of them do. */
  boolean tryEnter(int capacity) {
    if (pending.incrementAndGet() > capacity) {
      pending.decrementAndGet();
      return false;
    }
    return true;
  }

  void leave() {
    pending.decrementAndGet();
  }

  void inflight(int change) {
    inflight.addAndGet(change);
  }

  int inflight() {
    return inflight.get();
  }
}
