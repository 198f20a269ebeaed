package org.svcmailbox.client;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * Time as the client reads it and waits for it. Tests replace {@link #system()} with a clock that
 * they move by hand.
 */
public interface MailboxClock {
  /** The longest time that a deadline can lie ahead, about 146 years; longer ones are cut to it. */
  Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE / 2);

  /** The machine's own time. */
  static MailboxClock system() {
    return SystemClock.INSTANCE;
  }

  /** The date and time, for timestamps. */
  Instant now();

  /** Monotonic time in nanoseconds, for deadlines; only differences have a meaning. */
  long nanoTime();

  /**
   * Waits until signalled or until a moment has come. May also return for no reason, as {@link
   * Condition#await()}.
   *
   * @param held the lock that the condition belongs to, held by the caller
   * @param condition what is signalled
   * @param deadline a moment of {@link #nanoTime()}
   * @throws InterruptedException if the thread is interrupted
   */
  void await(Lock held, Condition condition, long deadline) throws InterruptedException;

  /** The moment so long from now, in nanoseconds of {@link #nanoTime()}. */
  default long deadline(Duration fromNow) {
    return nanoTime() + (fromNow.compareTo(FOREVER) > 0 ? FOREVER : fromNow).toNanos();
  }

  /** Whether a moment of {@link #nanoTime()} has come. */
  default boolean isPast(long deadline) {
    return nanoTime() - deadline >= 0;
  }
}
