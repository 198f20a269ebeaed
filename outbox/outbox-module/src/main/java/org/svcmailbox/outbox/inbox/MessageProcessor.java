package org.svcmailbox.outbox.inbox;

/** Handles and settles the messages of a consumer. Thread-safe. */
@FunctionalInterface
public interface MessageProcessor {
  /**
   * Handles and settles a message.
   *
   * @throws ConsumerException if it is handled but not settled; it will be delivered again
   * @throws InterruptedException if the thread is interrupted; the message will be delivered again
   */
  Handled process(Delivery delivery) throws InterruptedException;
}
