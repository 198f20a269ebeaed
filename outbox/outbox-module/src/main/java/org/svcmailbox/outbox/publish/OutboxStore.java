package org.svcmailbox.outbox.publish;

/** The outbox of one database. */
@FunctionalInterface
public interface OutboxStore {
  /**
   * Begins a transaction.
   *
   * @param passes how far the publisher has read; read and changed by {@link
   *     OutboxRepository#findUnpublished}
   * @throws PublisherBusyException if the database lets one publisher work, and that is another
   * @throws OutboxStoreException if the database is away
   */
  OutboxTransaction begin(Passes passes);
}
