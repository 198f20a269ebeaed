package org.svcmailbox.core.bounds;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Estimates when a backlog is gone. It measures only on refusals: the first one gets a default of
 * one second, later ones the rate measured since. Any thread.
 */
public final class DrainRate {
  static final Duration UNKNOWN = Duration.ofSeconds(1);

  static final Duration SHORTEST = Duration.ofMillis(100);
  public static final Duration LONGEST = Duration.ofSeconds(30);

  /** A measurement lasts at least this long, and at most {@link #STALE}. */
  private static final long ENOUGH = Duration.ofMillis(100).toNanos();

  private static final long STALE = Duration.ofSeconds(2).toNanos();

  private record Sample(long at, long drained, Duration said) {}

  private final AtomicLong drained = new AtomicLong();
  private volatile Sample sample = new Sample(0, -1, UNKNOWN);

  public void drained(long count) {
    drained.addAndGet(count);
  }

  /**
   * The time to drain a backlog at the measured rate, at least {@link #SHORTEST} and at most {@link
   * #LONGEST}.
   */
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
