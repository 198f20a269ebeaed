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

  /**
   * A handler has returned or thrown. Told by a {@link HandlerTimer} around the handler.
   *
   * @param time how long the call took, without the database
   */
  default void called(Duration time) {}
}
