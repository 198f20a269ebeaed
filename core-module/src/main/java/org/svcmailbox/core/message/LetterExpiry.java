package org.svcmailbox.core.message;

import java.time.Duration;
import java.time.Instant;

/**
 * Decides when a dead letter ends that the broker has expired. The broker uses the wall clock,
 * which somebody may have set. An ended letter is gone, so two clocks must agree, and a process
 * waits a while in case its clock was wrong at the start.
 *
 * @param started when the process began, on its own clock
 * @param now on the process's own clock, which nobody moves
 * @param wall on the wall clock
 */
public record LetterExpiry(Instant started, Instant now, Instant wall) {
  /** How long a process ends no letters, or the letter's retention if that is shorter. */
  static final Duration WAIT = Duration.ofHours(1);

  /**
   * When the letter ends, on the process's own clock; it ends now if that is not after {@link
   * #now}.
   */
  public Instant end(Instant deadAt, Duration retention) {
    Duration wait = retention.compareTo(WAIT) < 0 ? retention : WAIT;
    return later(started.plus(wait), end(deadAt.plus(retention)));
  }

  /** Without a step the clocks are equal, and the broker is right. */
  private Instant end(Instant kept) {
    Instant earlier = wall.isBefore(now) ? wall : now;
    boolean isOver = wall.equals(now) || !kept.isAfter(earlier);
    return isOver ? now : now.plus(Duration.between(earlier, kept));
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
