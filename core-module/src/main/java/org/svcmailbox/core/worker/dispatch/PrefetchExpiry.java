package org.svcmailbox.core.worker.dispatch;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Ends expired messages that the worker holds without a lease. The broker expires only messages in
 * its queues, and no consumer may ever come.
 */
public final class PrefetchExpiry {
  private static final long LOOK_EVERY = Duration.ofSeconds(1).toNanos();

  /** Messages ended in one step, and so in one commit. */
  static final int MOST = 1_000;

  private final WorkerContext context;
  private final Prefetcher prefetcher;
  private final Inspection inspection;
  private final Queue<ShardState> due = new ArrayDeque<>();
  private long lookAt;

  public PrefetchExpiry(WorkerContext context, Prefetcher prefetcher, Inspection inspection) {
    this.context = context;
    this.prefetcher = prefetcher;
    this.inspection = inspection;
    this.lookAt = context.now() + LOOK_EVERY;
  }

  /** Stages the ends that are due; returns how many. */
  public int run(long now) {
    if (due.isEmpty() && now - lookAt >= 0) {
      lookAt = now + LOOK_EVERY;
      context.shards().forEach(due::add);
    }
    int ended = 0;
    ShardState shard;
    while (ended < MOST && (shard = due.peek()) != null) {
      ended += endIn(shard, MOST - ended);
      if (ended < MOST) {
        due.remove();
      }
    }
    return ended;
  }

  private int endIn(ShardState shard, int most) {
    if (!shard.isReceiving() || !context.has(shard)) {
      return 0;
    }
    prefetcher.fetchExpired(shard, most, inspection::isOver);
    return inspection.endExpired(shard, most);
  }
}
