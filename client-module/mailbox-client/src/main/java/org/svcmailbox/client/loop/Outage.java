package org.svcmailbox.client.loop;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.svcmailbox.client.MailboxClock;

/**
 * Logs a period of failing receives: one line when it begins, one when it ends, and one for each
 * other kind of failure in between. Used by the receiving thread.
 */
final class Outage {
  private static final Logger LOG = System.getLogger(MainLoop.class.getName());

  private final String mailbox;
  private final MailboxClock clock;
  private final Set<Class<?>> kinds = new HashSet<>();
  private int failures;
  private long begun;

  /** Begins without an outage. */
  Outage(String mailbox, MailboxClock clock) {
    this.mailbox = mailbox;
    this.clock = clock;
  }

  boolean isOn() {
    return failures > 0;
  }

  /** Records a failure. Returns the number of receives that have failed in a row. */
  int failed(Throwable cause) {
    if (failures++ == 0) {
      begun = clock.nanoTime();
    }
    Level level = kinds.add(cause.getClass()) ? Level.WARNING : Level.DEBUG;
    LOG.log(level, mailbox + ": receiving failed, and is tried until it works", cause);
    return failures;
  }

  /** A receive was answered. */
  void over() {
    if (isOn()) {
      Duration taken = Duration.ofNanos(clock.nanoTime() - begun);
      LOG.log(
          Level.INFO,
          mailbox + ": receiving works again after " + failures + " failures in " + taken);
      failures = 0;
      kinds.clear();
    }
  }
}
