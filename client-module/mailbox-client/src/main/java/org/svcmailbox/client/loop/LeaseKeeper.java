package org.svcmailbox.client.loop;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.svcmailbox.client.MailboxClock;

/**
 * The thread that extends leases and interrupts handlers, each {@link Job} when it is due. Only
 * this thread and the stopping one interrupt a handler.
 */
final class LeaseKeeper<T, R> implements Runnable {
  private final LoopState<T, R> state;
  private final MailboxClock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition sooner = lock.newCondition();
  private long due;
  private boolean ended;

  LeaseKeeper(LoopState<T, R> state, MailboxClock clock) {
    this.state = state;
    this.clock = clock;
    this.due = clock.deadline(MailboxClock.FOREVER);
  }

  @Override
  public void run() {
    while (expectNothing()) {
      // A job that is added from here on calls wakeFor itself.
      long next = clock.deadline(MailboxClock.FOREVER);
      for (Job<T, R> job : state.jobs()) {
        next = Job.earlier(next, job.keepLease());
      }
      awaitDue(next);
    }
  }

  /** A job has come, or has an earlier end than before. */
  void wakeFor(Job<T, R> job) {
    lock.lock();
    try {
      expect(job.nextDue());
    } finally {
      lock.unlock();
    }
  }

  void end() {
    lock.lock();
    try {
      ended = true;
      sooner.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** False if there is no more to do. */
  private boolean expectNothing() {
    lock.lock();
    try {
      due = clock.deadline(MailboxClock.FOREVER);
      return !ended;
    } finally {
      lock.unlock();
    }
  }

  private void expect(long moment) {
    if (moment - due < 0) {
      due = moment;
      sooner.signalAll();
    }
  }

  private void awaitDue(long next) {
    lock.lock();
    try {
      expect(next);
      if (!ended && !clock.isPast(due)) {
        clock.await(lock, sooner, due);
      }
    } catch (InterruptedException e) {
      // Nothing here interrupts this thread, and the leases matter more.
      boolean unused = Thread.interrupted();
    } finally {
      lock.unlock();
    }
  }
}
