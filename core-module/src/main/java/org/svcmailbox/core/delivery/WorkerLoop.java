package org.svcmailbox.core.delivery;

import org.jspecify.annotations.Nullable;

/** One worker's thread: step, sleep, step, until it is drained. */
final class WorkerLoop implements Runnable {
  /** An order to finish. */
  private record Drain(long until, Refusal refusal) {}

  private final ShardWorker worker;
  private volatile @Nullable Drain drain;
  private volatile int abandonedLeases;

  WorkerLoop(ShardWorker worker) {
    this.worker = worker;
  }

  ShardWorker worker() {
    return worker;
  }

  /** Ends the loop once nothing is pending, or at {@code until} on the ticker. */
  void drain(long until, Refusal refusal) {
    drain = new Drain(until, refusal);
    worker.wake();
  }

  /** Leases that were held when the loop ended. */
  int abandonedLeases() {
    return abandonedLeases;
  }

  @Override
  public void run() {
    Drain order;
    while ((order = drain) == null && !Thread.currentThread().isInterrupted()) {
      turn(Long.MAX_VALUE);
    }
    if (order != null) {
      finish(order);
    }
    abandonedLeases = worker.leases();
    worker.close();
  }

  private void finish(Drain order) {
    worker.dismissWaiting(order.refusal());
    long left;
    while ((left = worker.untilDrained(order.until())) > 0
        && !Thread.currentThread().isInterrupted()) {
      turn(left);
    }
  }

  private void turn(long longestSleep) {
    if (worker.step() == 0) {
      worker.awaitWork(longestSleep);
    }
  }
}
