package org.svcmailbox.outbox.inbox;

import java.util.Optional;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.Outbox;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/** A transaction on the messages of one consumer. One thread uses it. */
public interface InboxTransaction extends AutoCloseable {
  /** The messages. */
  InboxRepository messages();

  /**
   * The current state of a message. If the database has row locks, it stays unchanged until the
   * end.
   */
  Optional<InboxMessage> message(MessageId id);

  /** The dead letters. */
  DeadLetters deadLetters();

  /** Records events in this transaction. */
  Outbox outbox();

  /**
   * Returns the underlying resource, such as the transaction's {@link java.sql.Connection}. The
   * caller must neither commit nor close it.
   *
   * @throws IllegalArgumentException if it has no resource of this type
   */
  <T> T unwrap(Class<T> type);

  /**
   * Makes all changes, or none.
   *
   * @throws OutboxStoreException if the database refuses or is away; whether the changes were made
   *     may then be unknown
   */
  void commit();

  /** Ends the transaction, without changes unless it is committed. */
  @Override
  void close();
}
