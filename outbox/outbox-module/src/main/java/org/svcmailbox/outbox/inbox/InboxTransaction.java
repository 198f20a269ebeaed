package org.svcmailbox.outbox.inbox;

import java.util.Optional;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.Outbox;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/** A transaction on the messages of one consumer. One thread uses it. */
public interface InboxTransaction extends AutoCloseable {
  /** The messages. */
  InboxRepository messages();

  /** A message as it is. Where the database has row locks, it stays so until the end. */
  Optional<InboxMessage> message(MessageId id);

  /** The dead letters. */
  DeadLetters deadLetters();

  /** Records events in this transaction. */
  Outbox outbox();

  /**
   * Gives what the transaction runs on, such as its {@link java.sql.Connection}, which stays in it:
   * the caller neither commits nor closes it.
   *
   * @throws IllegalArgumentException if it runs on nothing of this type
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
