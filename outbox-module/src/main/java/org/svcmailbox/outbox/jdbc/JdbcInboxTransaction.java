package org.svcmailbox.outbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.Outbox;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.inbox.DeadLetters;
import org.svcmailbox.outbox.inbox.InboxMessage;
import org.svcmailbox.outbox.inbox.InboxRepository;
import org.svcmailbox.outbox.inbox.InboxTransaction;
import org.svcmailbox.outbox.inbox.Insertion;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/** A consumer's transaction on one connection, which it gives back at its end. */
final class JdbcInboxTransaction implements InboxTransaction, InboxRepository {
  private static final String MESSAGE =
      "SELECT " + MessageRow.COLUMNS + " FROM inbox_messages m WHERE m.message_id = ?";

  private static final String COUNT_ATTEMPT =
      "UPDATE inbox_messages SET attempts = attempts + 1,"
          + " received_at = CASE WHEN received_at > ? THEN ? ELSE received_at END"
          + " WHERE message_id = ? AND processed_at IS NULL";

  private static final String PROCESSED =
      "UPDATE inbox_messages SET processed_at = ? WHERE message_id = ? AND received_at <= ?";

  private static final String ERROR =
      "UPDATE inbox_messages SET last_error = ? WHERE message_id = ?";

  private final Connection connection;
  private final Database database;
  private final MailboxClock clock;

  JdbcInboxTransaction(Connection connection, Database database, MailboxClock clock) {
    this.connection = connection;
    this.database = database;
    this.clock = clock;
  }

  @Override
  public InboxRepository messages() {
    return this;
  }

  @Override
  public Optional<InboxMessage> message(MessageId id) {
    String locking = database.hasRowLocks() ? " FOR UPDATE" : "";
    try {
      database.boundLocks(connection);
      try (PreparedStatement statement = connection.prepareStatement(MESSAGE + locking)) {
        database.setId(statement, 1, id.value());
        try (ResultSet row = statement.executeQuery()) {
          return row.next() ? Optional.of(MessageRow.read(database, row)) : Optional.empty();
        }
      }
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public DeadLetters deadLetters() {
    return new JdbcDeadLetters(connection, database, clock);
  }

  @Override
  public Outbox outbox() {
    return JdbcOutbox.of(connection, clock::now);
  }

  @Override
  public Insertion insert(InboxMessage message) {
    try {
      database.boundLocks(connection);
      if (Transactions.update(
              connection,
              database.insertNewMessage(),
              statement -> {
                database.setId(statement, 1, message.messageId());
                statement.setString(2, message.subject());
                database.setTime(statement, 3, message.receivedAt());
              })
          == 1) {
        return Insertion.NEW;
      }
      int counted =
          Transactions.update(
              connection,
              COUNT_ATTEMPT,
              statement -> {
                database.setTime(statement, 1, message.receivedAt());
                database.setTime(statement, 2, message.receivedAt());
                database.setId(statement, 3, message.messageId());
              });
      return counted == 1 ? Insertion.UNFINISHED : Insertion.PROCESSED;
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public void markProcessed(MessageId id) {
    Instant now = clock.now();
    try {
      int marked =
          Transactions.update(
              connection,
              PROCESSED,
              statement -> {
                database.setTime(statement, 1, now);
                database.setId(statement, 2, id.value());
                database.setTime(statement, 3, now);
              });
      if (marked == 0) {
        throw new OutboxException(
            ErrorCode.INVALID_TIMESTAMP, "message " + id + " was received after " + now);
      }
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public void recordError(MessageId id, String error) {
    try {
      int unused =
          Transactions.update(
              connection,
              ERROR,
              statement -> {
                statement.setString(1, error);
                database.setId(statement, 2, id.value());
              });
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    if (!type.isInstance(connection)) {
      throw new IllegalArgumentException("a transaction on a connection runs on no " + type);
    }
    return type.cast(connection);
  }

  private static OutboxStoreException failed(SQLException e) {
    return new OutboxStoreException("the inbox cannot be used", e);
  }

  @Override
  public void commit() {
    try {
      connection.commit();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public void close() {
    Transactions.end(connection);
  }
}
