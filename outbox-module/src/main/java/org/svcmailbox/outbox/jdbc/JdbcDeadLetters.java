package org.svcmailbox.outbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.inbox.DeadLetter;
import org.svcmailbox.outbox.inbox.DeadLetters;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/** The dead letters in the transaction of a connection. */
final class JdbcDeadLetters implements DeadLetters {
  /** The columns, of the alias {@code d}. */
  static final String COLUMNS =
      "d.msg_id, d.original_subject, d.reason, d.attempts AS dead_attempts, d.dead_at, d.routed_at";

  private static final String FIND =
      "SELECT " + COLUMNS + " FROM inbox_dead_letters d WHERE d.message_id = ?";

  private static final String DELETE = "DELETE FROM inbox_dead_letters WHERE message_id = ?";

  private static final String INSERT =
      "INSERT INTO inbox_dead_letters (message_id, msg_id, original_subject, reason, attempts,"
          + " dead_at, routed_at) VALUES (?, ?, ?, ?, ?, ?, ?)";

  private static final String ROUTED =
      "UPDATE inbox_dead_letters SET routed_at = ? WHERE message_id = ?";

  private final Connection connection;
  private final Database database;
  private final MailboxClock clock;

  JdbcDeadLetters(Connection connection, Database database, MailboxClock clock) {
    this.connection = connection;
    this.database = database;
    this.clock = clock;
  }

  @Override
  public Optional<DeadLetter> find(MessageId id) {
    try (PreparedStatement statement = connection.prepareStatement(FIND)) {
      database.setId(statement, 1, id.value());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(read(database, id, row)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  static DeadLetter read(Database database, MessageId id, ResultSet row) throws SQLException {
    return new DeadLetter(
        id,
        row.getString("msg_id"),
        new EventSubject(row.getString("original_subject")),
        row.getString("reason"),
        row.getInt("dead_attempts"),
        database.time(row, "dead_at"),
        database.optionalTime(row, "routed_at").orElse(null));
  }

  @Override
  public void put(DeadLetter letter) {
    try {
      UUID id = letter.messageId().value();
      Transactions.update(connection, DELETE, statement -> database.setId(statement, 1, id));
      Transactions.update(
          connection,
          INSERT,
          statement -> {
            database.setId(statement, 1, id);
            statement.setString(2, letter.msgId());
            statement.setString(3, letter.originalSubject().value());
            statement.setString(4, letter.reason());
            statement.setInt(5, letter.attempts());
            database.setTime(statement, 6, letter.deadAt());
            database.setOptionalTime(statement, 7, letter.routedAt());
          });
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public void routed(MessageId id) {
    try {
      Transactions.update(
          connection,
          ROUTED,
          statement -> {
            database.setTime(statement, 1, clock.now());
            database.setId(statement, 2, id.value());
          });
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private static OutboxStoreException failed(SQLException e) {
    return new OutboxStoreException("the dead letters cannot be used", e);
  }
}
