package org.svcmailbox.core.worker;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.worker.send.LogPorts;
import org.svcmailbox.core.worker.send.Send;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Inbox;
import org.svcmailbox.core.worker.state.Refusals;
import org.svcmailbox.core.worker.state.WorkerNumber;
import org.svcmailbox.core.worker.state.WorkerPorts;

/**
 * One worker's place: step, sleep, step, until it is drained. When the thread dies, the worker that
 * it ran dies with it, and the next thread runs another one; the inbox stays. While there is none,
 * commands are refused.
 */
final class WorkerLoop implements Supervision.Body {
  private record Drain(long until, Refusal refusal) {}

  private final Inbox<Command> inbox;
  private final Limits limits;
  private final StepWatch watch;
  private volatile ShardWorker worker;
  private volatile @Nullable Drain drain;
  private volatile int abandonedLeases;
  private boolean lived;
  private boolean alive;

  WorkerLoop(WorkerNumber number, WorkerPorts ports, LogPorts logs, int inboxCapacity) {
    this.inbox = new Inbox<>(inboxCapacity, ports.ticker());
    this.limits = ports.limits();
    this.watch = new StepWatch(inbox, this::refuse);
    this.worker = new ShardWorker(number, ports, logs, inbox, watch);
  }

  Inbox<Command> inbox() {
    return inbox;
  }

  ShardWorker worker() {
    return worker;
  }

  /** Refuses the worker's callers while it waits; returns whether it does. For the watch. */
  boolean look() {
    return watch.look(() -> worker.refuseOwed());
  }

  /** Whether the worker has its session and keeps nobody waiting for the broker. Any thread. */
  boolean isHealthy() {
    return worker.isHealthy() && !watch.isStalled();
  }

  /** Ends the loop once nothing is pending, or at {@code until} on the ticker. */
  void drain(long until, Refusal refusal) {
    drain = new Drain(until, refusal);
    inbox.wake();
  }

  int abandonedLeases() {
    return abandonedLeases;
  }

  /** One step, for tests, which start no threads; an error is the worker's death. */
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
    Consumer<ShardWorker> end = ShardWorker::fail;
    try {
      work();
      end = ShardWorker::close;
    } finally {
      abandonedLeases = worker.leases();
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
      // Once more: the thread that died may not have come to the end of it.
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

  /** Refuses what nobody is there to take. Any thread. */
  private void refuse(Command command) {
    if (command instanceof Send send) {
      send.taken(limits);
    }
    command.refuse(Refusals.brokerAway());
  }

  private void work() {
    Drain order;
    while ((order = drain) == null && !Thread.currentThread().isInterrupted()) {
      turn(Long.MAX_VALUE);
    }
    if (order != null) {
      finish(order);
    }
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
