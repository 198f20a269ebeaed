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
  private final Connection connection;
  private final Database database;
  private final InboxPlace place;
  private final MailboxClock clock;

  JdbcInboxTransaction(
      Connection connection, Database database, InboxPlace place, MailboxClock clock) {
    this.connection = connection;
    this.database = database;
    this.place = place;
    this.clock = clock;
  }

  private String owner(MessageId id) throws SQLException {
    return place.owner(connection, database, id);
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
      String owner = owner(id);
      String sql = MessageTable.of(owner).select() + locking;
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        database.setKey(statement, 1, id.value(), owner);
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
    return new JdbcDeadLetters(connection, database, place, clock);
  }

  @Override
  public Outbox outbox() {
    return JdbcOutbox.of(connection, clock::now);
  }

  @Override
  public Insertion insert(InboxMessage message) {
    try {
      database.boundLocks(connection);
      String owner = owner(new MessageId(message.messageId()));
      if (insertNew(message, owner)) {
        return Insertion.NEW;
      }
      int counted =
          Transactions.update(
              connection,
              MessageTable.of(owner).countAttempt(),
              statement -> {
                database.setTime(statement, 1, message.receivedAt());
                database.setTime(statement, 2, message.receivedAt());
                database.setKey(statement, 3, message.messageId(), owner);
              });
      return counted == 1 ? Insertion.UNFINISHED : Insertion.PROCESSED;
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private boolean insertNew(InboxMessage message, String owner) throws SQLException {
    MessageTable table = MessageTable.of(owner);
    return Transactions.update(
            connection,
            database.insertNewMessage(table),
            statement -> {
              database.setId(statement, 1, message.messageId());
              statement.setString(2, message.subject());
              database.setTime(statement, 3, message.receivedAt());
              if (table == MessageTable.OF_OTHERS) {
                statement.setString(4, owner);
              }
            })
        == 1;
  }

  @Override
  public void markProcessed(MessageId id) {
    Instant now = clock.now();
    try {
      String owner = owner(id);
      int marked =
          Transactions.update(
              connection,
              MessageTable.of(owner).markProcessed(),
              statement -> {
                database.setTime(statement, 1, now);
                database.setTime(statement, 2, now);
                database.setKey(statement, 3, id.value(), owner);
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
      String owner = owner(id);
      int unused =
          Transactions.update(
              connection,
              MessageTable.of(owner).recordError(),
              statement -> {
                statement.setString(1, error);
                database.setKey(statement, 2, id.value(), owner);
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
