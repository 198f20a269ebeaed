package org.svcmailbox.outbox.inbox;

/** Handles and settles the messages of a consumer. Thread-safe. */
@FunctionalInterface
public interface MessageProcessor {
  /**
   * Handles and settles a message.
   *
   * @throws ConsumerException if it is handled but not settled; it comes again
   * @throws InterruptedException if the thread is interrupted; the message comes again
   */
  Handled process(Delivery delivery) throws InterruptedException;
}
