package org.svcmailbox.outbox.publish;

import org.svcmailbox.outbox.event.OutboxEvent;

/** The outcome of claiming one event by its id. */
public sealed interface EventClaim {
  /**
   * No other publisher sends it until the transaction ends.
   *
   * @param event the event, published or not, parked or not
   */
  record Claimed(OutboxEvent event) implements EventClaim {}

  /** The outbox has no such event. */
  record Unknown() implements EventClaim {}

  /** Another publisher works on its lane. */
  record Busy() implements EventClaim {}
}
