package org.svcmailbox.core.route;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.time.DeadlineQueue;
import org.svcmailbox.core.time.Ticker;

/** Calls that wait for another look at the map. A call is resumed once. Any thread. */
final class Parking {
  /** The most calls that wait; more are refused at once. */
  static final int MOST = 10_000;

  /** The reason of a refusal, and the bound's name in metrics. */
  static final String BOUND = "parked_calls";

  private final Ticker ticker;
  private final DeadlineQueue<Runnable> queue = new DeadlineQueue<>();
  private final AtomicLong size = new AtomicLong();
  private boolean isOver;

  Parking(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Has a later {@link #tick} resume a call; returns false if it must not wait. */
  boolean park(Duration wait, Runnable resume) {
    boolean isRoom = size.incrementAndGet() <= MOST;
    synchronized (queue) {
      if (isRoom && !isOver) {
        queue.add(ticker.nanos() + wait.toNanos(), resume);
        return true;
      }
    }
    size.decrementAndGet();
    return false;
  }

  /** Resumes all calls, and has none wait any more. */
  void end() {
    List<Runnable> all = new ArrayList<>();
    synchronized (queue) {
      isOver = true;
      Runnable next;
      while ((next = queue.peek()) != null) {
        queue.removeFirst();
        all.add(next);
      }
    }
    size.addAndGet(-all.size());
    resume(all);
  }

  /** A call that fails keeps no other from being resumed. */
  private static void resume(List<Runnable> calls) {
    RuntimeException failure = null;
    for (Runnable call : calls) {
      try {
        call.run();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Whether none waits any more. */
  boolean isOver() {
    synchronized (queue) {
      return isOver;
    }
  }

  /** Resumes the calls whose time has come; returns how many. */
  int tick() {
    List<Runnable> due = due(ticker.nanos());
    size.addAndGet(-due.size());
    resume(due);
    return due.size();
  }

  private List<Runnable> due(long now) {
    List<Runnable> due = new ArrayList<>();
    synchronized (queue) {
      Runnable next;
      while ((next = queue.pollDue(now)) != null) {
        due.add(next);
      }
    }
    return due;
  }

  List<Metric> metrics() {
    return List.of(
        Family.BOUND_USED.of(size::get, BOUND), Family.BOUND_CAPACITY.of(() -> MOST, BOUND));
  }
}
