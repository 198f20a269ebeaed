package org.svcmailbox.outbox.jdbc;

import org.svcmailbox.outbox.publish.Lane;

/**
 * Decides how many lanes a publisher claims. Half of them leaves work to another publisher, which
 * helps where both wait for topics. Reading half of the events takes as long as reading all of
 * them, so a publisher that spends its time in the database claims all that are free. Where there
 * was nothing, it looks before it claims any. Thread-safe.
 */
final class LaneShare {
  private volatile boolean isWaiting = true;
  private volatile boolean wasIdle = true;

  /** The most lanes of the next claim. */
  int lanes() {
    return isWaiting ? Lane.COUNT / 2 : Lane.COUNT;
  }

  /** Whether the last claim found nothing. */
  boolean wasIdle() {
    return wasIdle;
  }

  /** Notes how many events a claim found. */
  void claimed(int events) {
    wasIdle = events == 0;
  }

  /**
   * Notes where the time of a transaction went.
   *
   * @param sendingNanos the part between reading and writing
   * @param nanos the whole
   */
  void note(long sendingNanos, long nanos) {
    isWaiting = 2 * sendingNanos > nanos;
  }
}
