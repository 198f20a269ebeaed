package org.svcmailbox.outbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.inbox.InboxMessage;
import org.svcmailbox.outbox.inbox.InboxStore;
import org.svcmailbox.outbox.inbox.InboxStoreContract;

abstract class JdbcInboxContract extends InboxStoreContract {
  /** A database. */
  protected abstract DataSource source() throws Exception;

  @BeforeEach
  void createTheTables() throws Exception {
    OutboxSchema.migrate(source());
  }

  @Override
  protected InboxStore store() throws Exception {
    return new JdbcInboxStore(source(), clock);
  }

  private interface Reader<T> {
    T read(Database database, ResultSet row) throws SQLException;
  }

  private <T> Optional<T> find(String sql, MessageId id, Reader<T> reader) throws Exception {
    try (Connection connection = source().getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      Database database = Database.of(connection);
      database.setId(statement, 1, id.value());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(reader.read(database, row)) : Optional.empty();
      }
    }
  }

  @Override
  protected Optional<InboxMessage> find(MessageId id) throws Exception {
    return find(
        "SELECT * FROM inbox_messages WHERE message_id = ?",
        id,
        (database, row) ->
            new InboxMessage(
                UUID.fromString(row.getString("message_id")),
                row.getString("subject"),
                database.time(row, "received_at"),
                database.optionalTime(row, "processed_at").orElse(null),
                row.getInt("attempts"),
                row.getString("last_error")));
  }

  @Override
  protected boolean isRecorded(MessageId id) throws Exception {
    return find("SELECT id FROM outbox_events WHERE id = ?", id, (database, row) -> true)
        .isPresent();
  }
}
