package org.svcmailbox.outbox.inbox;

import org.svcmailbox.outbox.publish.OutboxStoreException;

/** The inbox of one database. Thread-safe. */
@FunctionalInterface
public interface InboxStore {
  /**
   * Begins a transaction.
   *
   * @throws OutboxStoreException if the database is away
   */
  InboxTransaction begin();
}
