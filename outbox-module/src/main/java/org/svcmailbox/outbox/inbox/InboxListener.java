package org.svcmailbox.outbox.inbox;

import java.time.Duration;

/** Told what a consumer does, on its threads. What it throws is logged. */
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
