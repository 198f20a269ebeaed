package org.svcmailbox.core.worker;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.worker.send.BatchLogPorts;
import org.svcmailbox.core.worker.send.Send;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Inbox;
import org.svcmailbox.core.worker.state.OwnedSlots;
import org.svcmailbox.core.worker.state.Refusals;
import org.svcmailbox.core.worker.state.WorkerPorts;

/**
 * Runs one worker after the other: step, sleep, step, until it is drained. When the thread dies,
 * its worker dies with it, and the next thread runs a new worker on the same inbox. While no worker
 * runs, commands are refused.
 */
final class WorkerLoop implements Supervision.Body {
  /**
   * The order to drain.
   *
   * @param soon when to hand the leases over, after half of the drain's time at most
   * @param until when the drain ends, even if leases could not be handed over
   */
  private record DrainOrder(long soon, long until, Refusal refusal) {
    static DrainOrder at(long now, Duration atMost, Refusal refusal) {
      Duration half = atMost.dividedBy(2);
      Duration settling =
          half.compareTo(LeaseHandover.SETTLING) < 0 ? half : LeaseHandover.SETTLING;
      return new DrainOrder(now + settling.toNanos(), now + atMost.toNanos(), refusal);
    }
  }

  private final Inbox<Command> inbox;
  private final StepWatch watch;
  private volatile ShardWorker worker;
  private volatile @Nullable DrainOrder drain;
  private volatile DrainedLeases drained = DrainedLeases.NONE;
  private boolean lived;
  private boolean alive;

  WorkerLoop(
      OwnedSlots slots,
      WorkerPorts ports,
      BatchLogPorts logs,
      int inboxCapacity,
      LostSessions lost) {
    this.inbox = new Inbox<>(inboxCapacity, ports.ticker());
    this.watch = new StepWatch(inbox, this::refuseLate);
    this.worker = new ShardWorker(slots, ports, logs, inbox, watch, lost);
  }

  Inbox<Command> inbox() {
    return inbox;
  }

  ShardWorker worker() {
    return worker;
  }

  /** Refuses the worker's callers while it waits; returns whether its step is long. */
  boolean look() {
    return watch.look(worker.moves(), () -> worker.refuseOwed());
  }

  /** Whether callers know the outcome of every transaction of the worker. Any thread. */
  boolean isResolved() {
    return worker.isResolved() && !watch.isStalled();
  }

  /** Whether the worker has its session and keeps no caller waiting for the broker. Any thread. */
  boolean isHealthy() {
    return worker.isHealthy() && !watch.isStalled();
  }

  /** Ends the loop once nothing is pending and the remaining leases are handed over. */
  void drain(long now, Duration atMost, Refusal refusal) {
    drain = DrainOrder.at(now, atMost, refusal);
    inbox.wake();
  }

  /** The outcome for the leases, once the loop has ended. */
  DrainedLeases drained() {
    return drained;
  }

  /** One step, for tests, which start no threads. An error kills the worker. */
  int step() {
    if (!alive) {
      live();
    }
    try {
      return worker.step();
    } catch (Error e) {
      leave();
      worker.fail();
      return 0;
    }
  }

  @Override
  public void run() {
    live();
    serve();
  }

  /** Works until it is drained. */
  void serve() {
    Consumer<ShardWorker> end = ShardWorker::fail;
    DrainedLeases leases = null;
    try {
      leases = work();
      end = ShardWorker::close;
    } finally {
      drained = leases != null ? leases : new DrainedLeases(0, worker.leases());
      leave();
      end.accept(worker);
    }
  }

  @Override
  public void end() {
    inbox.wake();
  }

  private void live() {
    if (lived) {
      // Repeated, because the dead thread may not have completed it.
      worker.fail();
      worker = worker.successor();
    }
    lived = true;
    alive = true;
    inbox.open();
  }

  private void leave() {
    alive = false;
    inbox.close(this::refuse);
  }

  /** Refuses a command while no worker runs. Any thread. */
  private void refuse(Command command) {
    uncount(command);
    command.refuse(Refusals.brokerAway());
  }

  /** Refuses a command that the worker does not take in time. Any thread. */
  private void refuseLate(Command command) {
    uncount(command);
    command.refuseLate();
  }

  private void uncount(Command command) {
    if (command instanceof Send send) {
      send.leavePending();
    }
  }

  /** Returns what became of the leases; null if they were not handed over. */
  private @Nullable DrainedLeases work() {
    DrainOrder order;
    while ((order = drain) == null && !Thread.currentThread().isInterrupted()) {
      turn(Long.MAX_VALUE);
    }
    return order == null ? null : finish(order);
  }

  private @Nullable DrainedLeases finish(DrainOrder order) {
    // A worker that was told to end at once still does its first step.
    worker.step();
    worker.dismissWaiting(order.refusal());
    settle(order.soon());
    DrainedLeases leases = worker.handOver();
    if (leases == null) {
      // The log is full or not whole, so holders have until the end to settle.
      settle(order.until());
      leases = worker.handOver();
    }
    return leases;
  }

  private void settle(long until) {
    long left;
    while ((left = worker.untilDrained(until)) > 0 && !Thread.currentThread().isInterrupted()) {
      turn(left);
    }
  }

  private void turn(long longestSleep) {
    if (worker.step() == 0) {
      worker.awaitWork(longestSleep);
    }
  }
}
