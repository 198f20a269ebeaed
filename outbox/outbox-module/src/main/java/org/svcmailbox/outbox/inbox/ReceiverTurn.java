package org.svcmailbox.outbox.inbox;

/** Lets one of several receivers of a consumer work, also in several processes. Thread-safe. */
@FunctionalInterface
public interface ReceiverTurn {
  /** Takes the turn if it is free, and keeps it. Returns whether this receiver holds it. */
  boolean take();
}
