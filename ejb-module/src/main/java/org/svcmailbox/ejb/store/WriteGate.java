package org.svcmailbox.ejb.store;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * Queues writers in order of arrival, because a database with one writer would let them retry in no
 * order.
 */
final class WriteGate {
  private final Semaphore permits;
  private final Duration patience;

  /**
   * @param patience the longest wait for a turn
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

  int waiting() {
    return permits.getQueueLength();
  }

  void leave() {
    permits.release();
  }
}
