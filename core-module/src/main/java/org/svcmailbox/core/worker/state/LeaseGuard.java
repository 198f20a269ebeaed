package org.svcmailbox.core.worker.state;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * Keeps a session that the broker has ended from promising messages out of the worker's memory.
 * Another process may have them by then. Only an answer of the broker tells that it has not ended
 * the session, so a promise needs a question that left less than {@link #FRESH} ago. Each commit of
 * changes is one. The broker keeps a silent session for longer than that.
 *
 * <p>Owned by the worker's thread.
 */
final class LeaseGuard {
  /** How long an answered question counts, from when it left. */
  static final Duration FRESH = Duration.ofSeconds(1);

  /** The most questions in a row whose answers come too late to count. */
  static final int MOST = 3;

  private final LongSupplier nanos;
  private boolean isAnswered;
  private long left;

  LeaseGuard(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Begins with a new session, which has answered nothing. */
  void renew() {
    isAnswered = false;
  }

  /** Records an answered question that left at {@code moment}. */
  void answered(long moment) {
    isAnswered = true;
    left = moment;
  }

  boolean isFresh() {
    return isAnswered && nanos.getAsLong() - left < FRESH.toNanos();
  }

  /**
   * Asks unless an answer still counts.
   *
   * @throws UnavailableException if the session has ended, or all answers came too late
   */
  void require(Runnable question) {
    for (int i = 0; !isFresh(); i++) {
      if (i == MOST) {
        throw new UnavailableException("the broker answers too late to tell who has the messages");
      }
      long moment = nanos.getAsLong();
      question.run();
      answered(moment);
    }
  }
}
