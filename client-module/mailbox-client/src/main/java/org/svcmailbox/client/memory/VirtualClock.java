package org.svcmailbox.client.memory;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.svcmailbox.client.MailboxClock;

/**
 * A clock that stands still until {@link #advance} moves it. Wakes everything that waits on it, so
 * a test of timeouts takes no time.
 *
 * <p>A test that moves the clock for a waiting thread first calls {@link #awaitWaiters}: a thread
 * that begins to wait after the advance counts from the later time.
 */
public final class VirtualClock implements MailboxClock {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final Lock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Waiter> waiters = new ArrayList<>();
  private long nanos;

  /** One wait. Its lock is the one that its thread holds except while it waits. */
  private record Waiter(Lock lock, Condition condition) {
    void wake() {
      lock.lock();
      try {
        condition.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Starts at the beginning of 2026. */
  public VirtualClock() {}

  @Override
  public Instant now() {
    return START.plusNanos(nanoTime());
  }

  @Override
  public long nanoTime() {
    lock.lock();
    try {
      return nanos;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Moves time and wakes all waiters.
   *
   * @throws IllegalArgumentException if the duration is negative
   */
  public void advance(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("time does not go back: " + duration);
    }
    List<Waiter> woken;
    lock.lock();
    try {
      nanos += duration.toNanos();
      woken = List.copyOf(waiters);
    } finally {
      lock.unlock();
    }
    // Outside this clock's lock: a waiter takes its own lock first and then this one.
    woken.forEach(Waiter::wake);
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // The caller loops; this is one turn of its loop.
  public void await(Lock held, Condition condition, long deadline) throws InterruptedException {
    Waiter waiter = new Waiter(requireNonNull(held, "held"), condition);
    if (enter(waiter, deadline)) {
      try {
        condition.await();
      } finally {
        leave(waiter);
      }
    }
  }

  /** Waits, in real time and at most 10 s, until this many threads wait on the clock. */
  public void awaitWaiters(int count) throws InterruptedException, TimeoutException {
    long patience = TimeUnit.SECONDS.toNanos(10);
    lock.lock();
    try {
      while (waiters.size() < count) {
        if (patience <= 0) {
          throw new TimeoutException(waiters.size() + " threads wait, not " + count);
        }
        patience = changed.awaitNanos(patience);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns false if the deadline has passed: time moved before this thread could be woken for it.
   */
  private boolean enter(Waiter waiter, long deadline) {
    lock.lock();
    try {
      if (nanos - deadline >= 0) {
        return false;
      }
      waiters.add(waiter);
      changed.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void leave(Waiter waiter) {
    lock.lock();
    try {
      waiters.remove(waiter);
    } finally {
      lock.unlock();
    }
  }
}
