package org.svcmailbox.outbox.inbox;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.DoubleSupplier;
import org.svcmailbox.client.MailboxClock;

/** The breaker of a consumer, and the messages that failed before. Thread-safe. */
final class OutageWatch {
  /** Of more, the oldest count as new. */
  static final int MAX_REMEMBERED = 1000;

  private final MailboxClock clock;
  private final DoubleSupplier random;
  private final Set<String> failed = new LinkedHashSet<>();
  private Breaker breaker = Breaker.CLOSED;

  /**
   * @param random from 0 to 1, exclusive
   */
  OutageWatch(MailboxClock clock, DoubleSupplier random) {
    this.clock = clock;
    this.random = random;
  }

  /** Returns whether the consumer pauses now, and did not before. */
  synchronized boolean failed(String msgId) {
    boolean wasPaused = breaker.isPaused();
    breaker = breaker.failed(failed.add(msgId), clock.nanoTime(), random.getAsDouble());
    if (failed.size() > MAX_REMEMBERED) {
      failed.remove(failed.iterator().next());
    }
    return breaker.isPaused() && !wasPaused;
  }

  /** Returns whether the consumer was paused and now continues. */
  synchronized boolean succeeded(String msgId) {
    boolean wasPaused = breaker.isPaused();
    failed.remove(msgId);
    breaker = Breaker.CLOSED;
    return wasPaused;
  }

  /** A message was fetched, perhaps during a pause. */
  synchronized void fetched() {
    breaker = breaker.tried(clock.nanoTime(), random.getAsDouble());
  }

  synchronized boolean isPaused() {
    return breaker.isPaused();
  }

  /** How many messages may be fetched by one that has room for some. */
  synchronized int permits(int room) {
    return breaker.permits(room, clock.nanoTime());
  }

  /** When a pause permits more. */
  synchronized long nextLook() {
    return breaker.isPaused() ? breaker.nextTry() : clock.deadline(MailboxClock.FOREVER);
  }
}
