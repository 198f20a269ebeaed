package org.svcmailbox.client.spi;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxClosedException;

/** The running calls of a mailbox. Refuses new ones once it closes. Thread-safe. */
public class OpenCalls {
  private final String name;
  private final MailboxClock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean closing;
  private int underWay;

  /**
   * Of an open mailbox.
   *
   * @param name the mailbox's
   */
  public OpenCalls(String name, MailboxClock clock) {
    this.name = name;
    this.clock = clock;
  }

  final String name() {
    return name;
  }

  final MailboxClock clock() {
    return clock;
  }

  /**
   * Begins a call that closing waits for. Every return is followed by one {@link #end}.
   *
   * @throws MailboxClosedException if closing has begun
   */
  public final void begin() {
    lock.lock();
    try {
      if (closing) {
        throw new MailboxClosedException(name);
      }
      underWay++;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a call. */
  public final void end() {
    lock.lock();
    try {
      underWay--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Makes a call that closing waits for. */
  public final <A> A underWay(Supplier<A> call) {
    begin();
    try {
      return call.get();
    } finally {
      end();
    }
  }

  /** Whether closing has not begun. */
  public final boolean isOpen() {
    lock.lock();
    try {
      return !closing;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Begins to close: from now on there are no new calls.
   *
   * @return false if closing has begun before
   */
  public boolean beginClosing() {
    lock.lock();
    try {
      boolean begins = !closing;
      closing = true;
      return begins;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until no call is running, at most the given time; an interrupted thread stops waiting.
   */
  public final void awaitEnds(Duration atMost) {
    try {
      boolean unused = await(atMost, () -> underWay == 0);
    } catch (InterruptedException e) {
      // The closing thread is in a hurry.
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits at most {@code atMost}.
   *
   * @param isOver ends the wait; tested after each {@link #wake}, and when a call ends
   * @return whether that ended it
   */
  protected final boolean await(Duration atMost, BooleanSupplier isOver)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long end = clock.deadline(atMost);
      while (!isOver.getAsBoolean() && !clock.isPast(end)) {
        clock.await(lock, changed, end);
      }
      return isOver.getAsBoolean();
    } finally {
      lock.unlock();
    }
  }

  /** Makes every waiting thread look whether its wait is over. */
  protected final void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
