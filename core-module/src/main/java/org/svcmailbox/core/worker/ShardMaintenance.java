package org.svcmailbox.core.worker;

import java.time.Duration;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Periodic work on a worker's shards: publishes the age of their prefetched messages, and stops
 * receiving from shards without a call. Part of one worker.
 */
final class ShardMaintenance {
  private static final long TELL_EVERY = Duration.ofSeconds(1).toNanos();

  /** How long nobody must have asked for a shard before the worker stops receiving its messages. */
  private static final long RELEASE_AFTER = Duration.ofSeconds(30).toNanos();

  private final WorkerContext context;
  private long tellAt;
  private long releaseAt;

  ShardMaintenance(WorkerContext context) {
    this.context = context;
    this.tellAt = context.now() + TELL_EVERY;
    this.releaseAt = context.now() + RELEASE_AFTER;
  }

  /** Does what is due. */
  void run(long now) {
    if (now - tellAt >= 0) {
      tellAt = now + TELL_EVERY;
      context.shards().forEach(ShardState::tell);
    }
    if (now - releaseAt >= 0) {
      releaseAt = now + RELEASE_AFTER;
      releaseIdle(now - RELEASE_AFTER);
    }
  }

  /** Stops receiving from shards unused since {@code moment}. */
  private void releaseIdle(long moment) {
    for (ShardState shard : context.shards()) {
      if (shard.isIdleSince(moment)) {
        context.session().release(shard.id());
        shard.released();
      }
    }
  }
}
