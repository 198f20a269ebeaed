package org.svcmailbox.outbox.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.svcmailbox.outbox.inbox.InboxMessage;

/** Reads rows of {@code inbox_messages}. */
final class MessageRow {
  /** The columns, of the alias {@code m}. */
  static final String COLUMNS =
      "m.message_id, m.subject, m.received_at, m.processed_at, m.attempts, m.last_error";

  private MessageRow() {}

  static InboxMessage read(Database database, ResultSet row) throws SQLException {
    return new InboxMessage(
        UUID.fromString(row.getString("message_id")),
        row.getString("subject"),
        database.time(row, "received_at"),
        database.optionalTime(row, "processed_at").orElse(null),
        row.getInt("attempts"),
        row.getString("last_error"));
  }
}
