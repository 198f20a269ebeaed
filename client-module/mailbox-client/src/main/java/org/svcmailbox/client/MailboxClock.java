package org.svcmailbox.client;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * The client's source of time and timed waits. Tests replace {@link #system()} with a clock that
 * they move by hand.
 */
public interface MailboxClock {
  /** The longest time to a deadline, about 146 years; longer times are cut to it. */
  Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE / 2);

  /** The machine's own time. */
  static MailboxClock system() {
    return SystemClock.INSTANCE;
  }

  /** The date and time, for timestamps. */
  Instant now();

  /** Monotonic time in nanoseconds, for deadlines; only differences are meaningful. */
  long nanoTime();

  /**
   * Waits for a signal or a deadline. Like {@link Condition#await()}, it may also wake up
   * spuriously.
   *
   * @param held the lock that the condition belongs to, held by the caller
   * @param condition the condition to wait for
   * @param deadline when to stop waiting, a value of {@link #nanoTime()}
   * @throws InterruptedException if the thread is interrupted
   */
  void await(Lock held, Condition condition, long deadline) throws InterruptedException;

  /** The time {@code fromNow} from now, as a value of {@link #nanoTime()}. */
  default long deadline(Duration fromNow) {
    return nanoTime() + (fromNow.compareTo(FOREVER) > 0 ? FOREVER : fromNow).toNanos();
  }

  /** Whether {@code deadline}, a value of {@link #nanoTime()}, has passed. */
  default boolean isPast(long deadline) {
    return nanoTime() - deadline >= 0;
  }
}
