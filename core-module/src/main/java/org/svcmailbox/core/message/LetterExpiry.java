package org.svcmailbox.core.message;

import java.time.Duration;
import java.time.Instant;

/**
 * Decides when a dead letter ends whose retention the broker has found over, by a wall clock that
 * somebody may have set. A letter that ends is gone, so two clocks must agree on it, and a process
 * waits a while, for a clock that was wrong when it started.
 *
 * @param started when the process began, on its own clock
 * @param now on the process's own clock, which nobody moves
 * @param wall on the wall clock
 */
public record LetterExpiry(Instant started, Instant now, Instant wall) {
  /** How long a process ends no letters; a shorter retention is a shorter wait. */
  static final Duration WAIT = Duration.ofHours(1);

  /**
   * Until when the letter stays, on the process's own clock; no later than {@link #now}: it ends.
   */
  public Instant end(Instant deadAt, Duration retention) {
    Duration wait = retention.compareTo(WAIT) < 0 ? retention : WAIT;
    return later(started.plus(wait), end(deadAt.plus(retention)));
  }

  /** The clocks differ only after a step; without one, the broker is right. */
  private Instant end(Instant kept) {
    Instant earlier = wall.isBefore(now) ? wall : now;
    boolean isOver = wall.equals(now) || !kept.isAfter(earlier);
    return isOver ? now : now.plus(Duration.between(earlier, kept));
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
