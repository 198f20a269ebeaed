package org.svcmailbox.outbox.inbox;

import java.time.Duration;

/** Receives the events of a consumer, on its threads. Its exceptions are logged. */
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
   * A handler has returned or thrown. Called by a {@link HandlerTimer} around the handler.
   *
   * @param time how long the call took, without the database
   */
  default void called(Duration time) {}
}
