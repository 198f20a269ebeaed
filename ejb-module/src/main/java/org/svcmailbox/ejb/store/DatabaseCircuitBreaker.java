package org.svcmailbox.ejb.store;

import java.time.Duration;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * Spares callers a database that has just kept one of them waiting in vain, or could not be reached
 * by one. A connection that was merely lost is no reason: the next one may be good. Any thread.
 */
final class DatabaseCircuitBreaker {
  /** A connection whose loss takes longer to notice kept its user waiting. */
  private static final Duration SHORT = Duration.ofSeconds(1);

  private volatile boolean isOpen;

  /**
   * Lets a caller on to the database, or not.
   *
   * @throws UnavailableException when the database is known not to answer; it was not asked
   */
  void requireClosed() {
    if (isOpen) {
      throw new UnavailableException("The database does not answer");
    }
  }

  /** The connection was given up, after a call that had lasted so long. */
  void connectionLost(Duration lasted) {
    if (lasted.compareTo(SHORT) > 0) {
      open();
    }
  }

  /** The database could not be reached. */
  void open() {
    isOpen = true;
  }

  /** The database answered. */
  void close() {
    isOpen = false;
  }
}
