package org.svcmailbox.outbox.inbox;

/**
 * Handles events in the transaction of the inbox. Its writes in that transaction take effect once
 * for each event, for as long as the inbox remembers the event. Other effects can be repeated.
 */
@FunctionalInterface
public interface TransactionalHandler {
  /**
   * Handles one event. The transaction commits if it is processed, and is rolled back otherwise. An
   * exception counts as {@link HandlerResult.Retry}.
   *
   * @param transaction the inbox's; {@link InboxTransaction#unwrap} gives the connection
   * @throws InterruptedException if the thread is interrupted
   */
  HandlerResult handle(InboxTransaction transaction, String eventType, HandlerPayload payload)
      throws InterruptedException;
}
