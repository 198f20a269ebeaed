package org.svcmailbox.worker.command;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.svcmailbox.client.MailboxClock;

/** How long a command keeps trying. One thread uses an instance. */
final class Patience {
  private final MailboxClock clock;
  private final Duration bound;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition never = lock.newCondition();
  private long end;

  /**
   * Starts now.
   *
   * @param bound how long to keep trying after the last {@link #renew}
   */
  Patience(MailboxClock clock, Duration bound) {
    this.clock = requireNonNull(clock, "clock");
    this.bound = requireNonNull(bound, "bound");
    renew();
  }

  /** Starts the time again, because there was progress. */
  void renew() {
    end = clock.deadline(bound);
  }

  /**
   * Waits before the next try.
   *
   * @param pause how long, unless the time ends earlier
   * @return false, without waiting, if the time has ended
   */
  boolean await(Duration pause) throws InterruptedException {
    if (clock.isPast(end)) {
      return false;
    }
    long next = clock.deadline(pause);
    long deadline = next - end < 0 ? next : end;
    lock.lockInterruptibly();
    try {
      while (!clock.isPast(deadline)) {
        clock.await(lock, never, deadline);
      }
    } finally {
      lock.unlock();
    }
    return true;
  }
}
