package org.svcmailbox.ejb.store;

import java.time.Duration;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * Refuses callers while the database is unreachable or hangs. A connection that is merely lost does
 * not open it: the next one may work. Any thread.
 */
final class DatabaseCircuitBreaker {
  /** A loss noticed later than this means that the database hangs. */
  private static final Duration SHORT = Duration.ofSeconds(1);

  private volatile boolean isOpen;

  /** Throws {@link UnavailableException} without asking the database while the breaker is open. */
  void requireClosed() {
    if (isOpen) {
      throw new UnavailableException("The database does not answer");
    }
  }

  /** Records a lost connection and how long its call took. */
  void connectionLost(Duration lasted) {
    if (lasted.compareTo(SHORT) > 0) {
      open();
    }
  }

  void open() {
    isOpen = true;
  }

  void close() {
    isOpen = false;
  }
}
