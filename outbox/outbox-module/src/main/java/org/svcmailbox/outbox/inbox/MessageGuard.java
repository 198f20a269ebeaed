package org.svcmailbox.outbox.inbox;

import org.svcmailbox.outbox.event.MessageId;

/**
 * Keeps a consumer from handling two copies of a message at the same time. It spares the handler
 * work; that an event has one effect is the handler's own doing. Thread-safe.
 */
public interface MessageGuard {
  /** Whether the consumer handles no other copy. The caller then releases it. */
  boolean acquire(String consumer, MessageId id);

  /** Lets the consumer handle the next copy. */
  void release(String consumer, MessageId id);
}
