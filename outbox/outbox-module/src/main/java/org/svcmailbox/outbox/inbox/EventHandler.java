package org.svcmailbox.outbox.inbox;

/**
 * Handles events. It meets an event again after a crash, a lost answer or a lost lease, so its work
 * must be repeatable: {@link HandlerResult.AlreadyProcessed} says that it was done before.
 */
@FunctionalInterface
public interface EventHandler {
  /**
   * Handles one event. An exception counts as {@link HandlerResult.Retry}.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  HandlerResult handle(String eventType, HandlerPayload payload) throws InterruptedException;
}
