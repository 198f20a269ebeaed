package org.svcmailbox.outbox.loop;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.svcmailbox.client.MailboxClock;

/**
 * The life of a loop: one thread runs it, and another closes it and waits for its end. The lock is
 * held while conditions are looked at, so these must not block. Thread-safe.
 */
public final class LoopLife {
  private final MailboxClock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean isClosing;
  private boolean isRunning;

  /** The body of a loop, which ends when the life is closing. */
  @FunctionalInterface
  public interface Body {
    /**
     * Loops.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    void run() throws InterruptedException;
  }

  public LoopLife(MailboxClock clock) {
    this.clock = clock;
  }

  /**
   * Runs the loop. If the thread is interrupted, the loop ends and the interrupt flag stays set.
   *
   * @throws IllegalStateException if it runs already
   */
  public void run(Body loop) {
    start();
    try {
      loop.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end();
    }
  }

  private void start() {
    lock.lock();
    try {
      if (isRunning) {
        throw new IllegalStateException("the loop runs already");
      }
      isRunning = true;
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      isRunning = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the loop is to end. */
  public boolean isClosing() {
    lock.lock();
    try {
      return isClosing;
    } finally {
      lock.unlock();
    }
  }

  /** Waits, but no longer than until the loop begins to end. */
  public void pause(Duration length) throws InterruptedException {
    long end = clock.deadline(length);
    await(() -> clock.isPast(end), () -> end);
  }

  /**
   * Waits until a condition holds, or the loop is to end.
   *
   * @param condition looked at first, after each {@link #changed}, and when {@code nextLook} is
   *     past
   * @param nextLook a moment of the clock
   */
  public void await(BooleanSupplier condition, LongSupplier nextLook) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!isClosing && !condition.getAsBoolean()) {
        clock.await(lock, changed, nextLook.getAsLong());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Has everyone who waits look at the condition again. */
  public void changed() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Has the loop end, and waits for that. If the thread is interrupted, the loop may still run; the
   * interrupt flag then stays set.
   *
   * @param isIdle whether what the loop began on other threads has ended too
   */
  public void close(BooleanSupplier isIdle) {
    lock.lock();
    try {
      isClosing = true;
      changed.signalAll();
      while (isRunning || !isIdle.getAsBoolean()) {
        changed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
