package org.svcmailbox.test.concurrent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** A deadline by which a condition must have come true. */
public final class Deadline {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(20);

  /** Something that may come true. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws IOException;
  }

  private final Duration allowed;
  private final long end;

  private Deadline(Duration allowed) {
    this.allowed = allowed;
    this.end = System.nanoTime() + allowed.toNanos();
  }

  /** So long from now. */
  public static Deadline in(Duration allowed) {
    return new Deadline(allowed);
  }

  /** Whether it is over. */
  public boolean isOver() {
    return System.nanoTime() - end >= 0;
  }

  /** The remaining time, never negative. */
  public Duration left() {
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }

  /**
   * Returns as soon as {@code condition} holds.
   *
   * @param what names the condition, evaluated when it did not come true in time
   */
  public void await(Condition condition, Supplier<String> what) {
    long pause = FIRST_PAUSE.toNanos();
    try {
      while (!condition.holds()) {
        if (isOver()) {
          throw new AssertionError("not within " + allowed + ": " + what.get());
        }
        LockSupport.parkNanos(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE.toNanos());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
