package org.svcmailbox.outbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
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
      "SELECT " + COLUMNS + " FROM inbox_dead_letters d WHERE d.message_id = ? AND d.consumer = ?";

  /** Takes the message and its owner. */
  static final String DELETE =
      "DELETE FROM inbox_dead_letters WHERE message_id = ? AND consumer = ?";

  private static final String INSERT =
      "INSERT INTO inbox_dead_letters (message_id, consumer, msg_id, original_subject, reason,"
          + " attempts, dead_at, routed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

  private static final String ROUTED =
      "UPDATE inbox_dead_letters SET routed_at = ? WHERE message_id = ? AND consumer = ?";

  private final Connection connection;
  private final Database database;
  private final InboxPlace place;
  private final MailboxClock clock;

  JdbcDeadLetters(Connection connection, Database database, InboxPlace place, MailboxClock clock) {
    this.connection = connection;
    this.database = database;
    this.place = place;
    this.clock = clock;
  }

  @Override
  public Optional<DeadLetter> find(MessageId id) {
    try (PreparedStatement statement = connection.prepareStatement(FIND)) {
      setKey(statement, 1, id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(read(database, id, row)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private void setKey(PreparedStatement statement, int index, MessageId id) throws SQLException {
    database.setKey(statement, index, id.value(), place.owner(connection, database, id));
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
      MessageId id = letter.messageId();
      Transactions.update(connection, DELETE, statement -> setKey(statement, 1, id));
      Transactions.update(
          connection,
          INSERT,
          statement -> {
            setKey(statement, 1, id);
            statement.setString(3, letter.msgId());
            statement.setString(4, letter.originalSubject().value());
            statement.setString(5, letter.reason());
            statement.setInt(6, letter.attempts());
            database.setTime(statement, 7, letter.deadAt());
            database.setOptionalTime(statement, 8, letter.routedAt());
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
            setKey(statement, 2, id);
          });
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private static OutboxStoreException failed(SQLException e) {
    return new OutboxStoreException("the dead letters cannot be used", e);
  }
}
