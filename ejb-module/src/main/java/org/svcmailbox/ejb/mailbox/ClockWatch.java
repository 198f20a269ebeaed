package org.svcmailbox.ejb.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Notices and logs that somebody moved the wall clock. When it was set back, the broker must
 * release delayed messages, which it would otherwise hold for that much longer.
 */
final class ClockWatch {
  private static final Logger LOG = System.getLogger(ClockWatch.class.getName());
  private static final Duration LITTLE = Duration.ofMillis(500);

  private final Supplier<Duration> ahead;
  private final Runnable setBack;
  private Duration known;

  /**
   * @param ahead how far the wall clock is ahead of this service's
   * @param setBack run when the clock was set back; repeated until it succeeds
   */
  ClockWatch(Supplier<Duration> ahead, Runnable setBack) {
    this.ahead = ahead;
    this.setBack = setBack;
    this.known = ahead.get();
  }

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
