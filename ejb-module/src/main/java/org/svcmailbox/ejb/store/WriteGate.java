package org.svcmailbox.ejb.store;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * Who may write now. A database with one writer at a time answers the second with "busy" and lets
 * it try again after a pause, in no order; here writers queue, first come first served.
 */
final class WriteGate {
  private final Semaphore permits;
  private final Duration patience;

  /**
   * A gate for {@code writers} at a time.
   *
   * @param patience how long one waits for its turn
   */
  WriteGate(int writers, Duration patience) {
    this.permits = new Semaphore(writers, true);
    this.patience = patience;
  }

  /**
   * Waits for a turn, which {@link #leave} ends.
   *
   * @throws UnavailableException when it does not come in time; nothing was written
   */
  void enter() {
    try {
      if (!permits.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new UnavailableException("No turn to write within " + patience);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("Interrupted while waiting to write", e);
    }
  }

  /** How many wait for their turn. */
  int waiting() {
    return permits.getQueueLength();
  }

  /** Lets the next one in. */
  void leave() {
    permits.release();
  }
}
