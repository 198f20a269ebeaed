package org.svcmailbox.outbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.svcmailbox.outbox.event.MessageId;

/**
 * Where a database keeps the messages of a consumer. The first consumer of the database has the
 * specification's table, whose key is the message alone, and all others share one whose key has
 * their name too. Messages from before there were names count for all consumers.
 *
 * @param consumer its name
 * @param isFirst whether it is the first one
 * @param hasShared whether there may be messages that count for all
 */
record InboxPlace(String consumer, boolean isFirst, boolean hasShared) {
  /** The owner of the rows that are in the specification's table. */
  static final String FIRST = "";

  private static final String IS_SHARED = "SELECT 1 FROM inbox_shared WHERE message_id = ?";

  private static final String READ =
      "SELECT consumer, EXISTS (SELECT 1 FROM inbox_shared) FROM inbox_first_consumer";

  /**
   * Finds the place of a consumer, which becomes the first one if there is none. Called once for
   * each consumer of a process, in a separate transaction.
   */
  static InboxPlace of(Connection connection, Database database, String consumer)
      throws SQLException {
    Transactions.update(
        connection, database.insertFirstConsumer(), statement -> statement.setString(1, consumer));
    try (PreparedStatement statement = connection.prepareStatement(READ);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return new InboxPlace(consumer, row.getString(1).equals(consumer), row.getBoolean(2));
    }
  }

  /** The owner of a message's rows: {@link #FIRST}, or the consumer. */
  String owner(Connection connection, Database database, MessageId id) throws SQLException {
    return isFirst || (hasShared && isShared(connection, database, id)) ? FIRST : consumer;
  }

  private static boolean isShared(Connection connection, Database database, MessageId id)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(IS_SHARED)) {
      database.setId(statement, 1, id.value());
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }
}
