package org.svcmailbox.core.delivery;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How fast something goes down, from which follows when it makes sense to come back. Looked at only
 * when somebody is refused: the first one within a while hears a second, the others what was
 * measured since. Any thread.
 */
public final class DrainRate {
  /** What the first one hears. */
  static final Duration UNKNOWN = Duration.ofSeconds(1);

  static final Duration SHORTEST = Duration.ofMillis(100);
  static final Duration LONGEST = Duration.ofSeconds(30);

  /** Measured for at least this, and not for longer than that. */
  private static final long ENOUGH = Duration.ofMillis(100).toNanos();

  private static final long STALE = Duration.ofSeconds(2).toNanos();

  /** Where a measurement began, and what the one before it said. */
  private record Sample(long at, long drained, Duration said) {}

  private final AtomicLong drained = new AtomicLong();
  private volatile Sample sample = new Sample(0, -1, UNKNOWN);

  /** So many are gone. */
  public void drained(long count) {
    drained.addAndGet(count);
  }

  /** When a backlog will be gone at the present rate; within the bounds above. */
  public Duration until(long backlog, long now) {
    Sample since = sample;
    long elapsed = now - since.at();
    if (since.drained() < 0 || elapsed > STALE) {
      sample = new Sample(now, drained.get(), UNKNOWN);
      return UNKNOWN;
    }
    if (elapsed < ENOUGH) {
      return since.said();
    }
    Duration estimate = estimate(backlog, drained.get() - since.drained(), elapsed);
    if (elapsed > STALE / 2) {
      sample = new Sample(now, drained.get(), estimate);
    }
    return estimate;
  }

  private static Duration estimate(long backlog, long gone, long nanos) {
    if (gone <= 0) {
      return LONGEST;
    }
    long needed = (long) ((double) nanos / gone * backlog);
    return Duration.ofNanos(Math.max(SHORTEST.toNanos(), Math.min(LONGEST.toNanos(), needed)));
  }
}
