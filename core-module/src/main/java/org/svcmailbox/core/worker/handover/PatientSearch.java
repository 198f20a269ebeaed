package org.svcmailbox.core.worker.handover;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.worker.dispatch.Prefetcher;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * A worker's search for the messages of handed-over leases. While the broker reads a shard back
 * from its pages, it reports that nothing is ready. The search then waits for it, for a bounded
 * time.
 */
final class PatientSearch {
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  /** The most waits in vain for one shard: one second. */
  private static final int MOST_OF_SHARD = 50;

  private final WorkerContext context;
  private final Prefetcher prefetcher;
  private int left;

  /**
   * @param most the longest wait for all shards together
   */
  PatientSearch(WorkerContext context, Prefetcher prefetcher, Duration most) {
    this.context = context;
    this.prefetcher = prefetcher;
    this.left = (int) most.dividedBy(LOOK_EVERY);
  }

  /** As {@link Prefetcher#takeOut}, repeated until the broker has no more. */
  void run(ShardState shard, Predicate<Delivery> wanted, BooleanSupplier isOver) {
    int leftOfShard = MOST_OF_SHARD;
    long fetched = prefetcher.takeOut(shard, wanted, isOver);
    while (leftOfShard > 0 && left > 0 && mayFindMore(shard, fetched, isOver)) {
      await(shard.id());
      long more = prefetcher.takeOut(shard, wanted, isOver);
      fetched += more;
      if (more == 0) {
        leftOfShard--;
        left--;
      }
    }
  }

  private boolean mayFindMore(ShardState shard, long fetched, BooleanSupplier isOver) {
    return !isOver.getAsBoolean()
        && prefetcher.hasRoomToTakeOut(shard)
        && !Thread.currentThread().isInterrupted()
        && ready(shard.id()) > fetched;
  }

  /** The number of ready or delivered messages of a shard. */
  private long ready(ShardId shard) {
    Broker.QueueCounts counts = context.ports().broker().counts(shard);
    return counts.messages() - counts.scheduled();
  }

  private void await(ShardId shard) {
    CountDownLatch arrived = new CountDownLatch(1);
    context.session().watch(shard, arrived::countDown);
    try {
      boolean unused = arrived.await(LOOK_EVERY.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
