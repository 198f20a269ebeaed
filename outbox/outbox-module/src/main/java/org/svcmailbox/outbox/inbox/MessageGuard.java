package org.svcmailbox.outbox.inbox;

import org.svcmailbox.outbox.event.MessageId;

/**
 * Prevents a consumer from handling two copies of a message at the same time. It only saves work:
 * the handler itself must make sure that an event takes effect once. Thread-safe.
 */
public interface MessageGuard {
  /**
   * Takes the message if no other copy is being handled. Returns whether it did; the caller must
   * then release it.
   */
  boolean acquire(String consumer, MessageId id);

  /** Lets the consumer handle the next copy. */
  void release(String consumer, MessageId id);
}
