package org.svcmailbox.outbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Optional;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.inbox.DeadLetter;
import org.svcmailbox.outbox.inbox.DeadLetters;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/** The dead letters in the transaction of a connection. */
final class JdbcDeadLetters implements DeadLetters {
  private static final String FIND =
      "SELECT msg_id, original_subject, reason, attempts, dead_at, routed_at"
          + " FROM inbox_dead_letters WHERE message_id = ?";

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
        return row.next() ? Optional.of(letter(id, row)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private DeadLetter letter(MessageId id, ResultSet row) throws SQLException {
    return new DeadLetter(
        id,
        row.getString("msg_id"),
        new EventSubject(row.getString("original_subject")),
        row.getString("reason"),
        row.getInt("attempts"),
        database.time(row, "dead_at"),
        database.optionalTime(row, "routed_at").orElse(null));
  }

  @Override
  public void put(DeadLetter letter) {
    try (PreparedStatement delete = connection.prepareStatement(DELETE);
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      database.setId(delete, 1, letter.messageId().value());
      delete.executeUpdate();
      database.setId(insert, 1, letter.messageId().value());
      insert.setString(2, letter.msgId());
      insert.setString(3, letter.originalSubject().value());
      insert.setString(4, letter.reason());
      insert.setInt(5, letter.attempts());
      database.setTime(insert, 6, letter.deadAt());
      if (letter.routedAt() == null) {
        insert.setNull(
            7, database == Database.SQLITE ? Types.INTEGER : Types.TIMESTAMP_WITH_TIMEZONE);
      } else {
        database.setTime(insert, 7, letter.routedAt());
      }
      insert.executeUpdate();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public void routed(MessageId id) {
    try (PreparedStatement statement = connection.prepareStatement(ROUTED)) {
      database.setTime(statement, 1, clock.now());
      database.setId(statement, 2, id.value());
      statement.executeUpdate();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private static OutboxStoreException failed(SQLException e) {
    return new OutboxStoreException("the dead letters cannot be used", e);
  }
}
