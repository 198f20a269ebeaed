package org.svcmailbox.ejb.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Notices that somebody moved the wall clock, and says so. Where it was set back, the broker must
 * let go of what it keeps back: it would keep it for as much longer.
 */
final class ClockWatch {
  private static final Logger LOG = System.getLogger(ClockWatch.class.getName());
  private static final Duration LITTLE = Duration.ofMillis(500);

  private final Supplier<Duration> ahead;
  private final Runnable setBack;
  private Duration known;

  /**
   * @param ahead how far the wall clock is before ours
   * @param setBack what is to be done when it was set back; repeated until it succeeds
   */
  ClockWatch(Supplier<Duration> ahead, Runnable setBack) {
    this.ahead = ahead;
    this.setBack = setBack;
    this.known = ahead.get();
  }

  /** Looks at the clock. */
  void look() {
    Duration now = ahead.get();
    Duration moved = now.minus(known);
    if (moved.abs().compareTo(LITTLE) < 0) {
      return;
    }
    if (moved.isNegative()) {
      setBack.run();
    }
    known = now;
    LOG.log(
        Level.WARNING,
        "The wall clock was moved by {0}; deadlines and timestamps go on as before it, until the"
            + " next start",
        moved);
  }
}
