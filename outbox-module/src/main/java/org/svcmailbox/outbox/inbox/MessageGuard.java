package org.svcmailbox.outbox.inbox;

import org.svcmailbox.outbox.event.MessageId;

/**
 * Keeps two copies of a message from being handled at the same time. It spares the handler work;
 * that an event has one effect is the handler's own doing. Thread-safe.
 */
public interface MessageGuard {
  /** Whether no other copy is being handled. The caller then releases it. */
  boolean acquire(MessageId id);

  /** Lets the next copy be handled. */
  void release(MessageId id);
}
