package org.svcmailbox.outbox.inbox;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import org.svcmailbox.client.MailboxClock;

/**
 * Notices that all messages fail. After ten failures in a row, one message at a time is fetched, so
 * an outage of the handler costs the other messages no attempts. A random pause of up to 1 s
 * precedes it, doubled with each failure, up to a minute. Thread-safe.
 */
final class OutageWatch {
  static final int FAILURES = 10;
  static final Duration MIN = Duration.ofSeconds(1);
  static final Duration MAX = Duration.ofSeconds(60);

  private final MailboxClock clock;
  private final DoubleSupplier random;
  private int failures;
  private Duration bound = MIN;
  private long nextProbe;

  /**
   * @param random from 0 to 1, exclusive
   */
  OutageWatch(MailboxClock clock, DoubleSupplier random) {
    this.clock = clock;
    this.random = random;
  }

  synchronized void failed() {
    failures = Math.min(failures + 1, FAILURES);
    if (isOut()) {
      nextProbe = clock.deadline(Duration.ofNanos((long) (random.getAsDouble() * bound.toNanos())));
      Duration twice = bound.multipliedBy(2);
      bound = twice.compareTo(MAX) < 0 ? twice : MAX;
    }
  }

  synchronized void succeeded() {
    failures = 0;
    bound = MIN;
  }

  synchronized boolean isOut() {
    return failures == FAILURES;
  }

  /** The moment before which nothing is fetched while all fail. */
  synchronized long nextProbe() {
    return nextProbe;
  }
}
