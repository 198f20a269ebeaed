package org.svcmailbox.outbox.inbox;

import java.time.Duration;

/** Hears of a consumer's work, on its threads. Exceptions that it throws are logged. */
@FunctionalInterface
public interface InboxListener {
  /** Hears nothing. */
  InboxListener NONE = (result, time) -> {};

  /**
   * A message is settled.
   *
   * @param time how long it took, with the handler and the database
   */
  void handled(Handled result, Duration time);
}
