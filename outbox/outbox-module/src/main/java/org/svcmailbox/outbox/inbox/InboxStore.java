package org.svcmailbox.outbox.inbox;

import org.svcmailbox.outbox.publish.OutboxStoreException;

/** The inbox of one database, with the messages of each of its consumers. Thread-safe. */
@FunctionalInterface
public interface InboxStore {
  /**
   * Begins a transaction on the messages of a consumer.
   *
   * @param consumer its name, as {@link InboxSettings#consumer} has it
   * @throws OutboxStoreException if the database is away
   */
  InboxTransaction begin(String consumer);
}
