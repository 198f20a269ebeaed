package org.svcmailbox.client.loop;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.svcmailbox.client.MailboxClock;

/**
 * A time in which receives fail: a line when it begins and one when it ends. A failure of another
 * kind has a line of its own, once. Used by the receiving thread.
 */
final class Outage {
  private static final Logger LOG = System.getLogger(MainLoop.class.getName());

  private final String mailbox;
  private final MailboxClock clock;
  private final Set<Class<?>> kinds = new HashSet<>();
  private int failures;
  private long begun;

  /** None yet. */
  Outage(String mailbox, MailboxClock clock) {
    this.mailbox = mailbox;
    this.clock = clock;
  }

  boolean isOn() {
    return failures > 0;
  }

  /** How many receives have failed since the last one that did not. */
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
