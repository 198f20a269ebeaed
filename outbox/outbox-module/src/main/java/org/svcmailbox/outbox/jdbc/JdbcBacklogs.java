package org.svcmailbox.outbox.jdbc;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.svcmailbox.outbox.admin.Backlog;
import org.svcmailbox.outbox.admin.Backlogs;
import org.svcmailbox.outbox.admin.InboxBacklog;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/** The backlogs of a database. Thread-safe. */
public final class JdbcBacklogs implements Backlogs {
  private static final String OUTBOX =
      "SELECT COUNT(*) AS waiting, MIN(occurred_at) AS oldest FROM outbox_events WHERE published_at IS NULL";

  private static final String INBOXES =
      "SELECT m.consumer, COUNT(*) - COUNT(d.msg_id) AS waiting,"
          + " MIN(CASE WHEN d.msg_id IS NULL THEN m.received_at END) AS oldest,"
          + " COUNT(d.msg_id) AS dead, MIN(d.dead_at) AS oldest_dead"
          + " FROM inbox_all m LEFT JOIN inbox_dead_letters d"
          + " ON d.message_id = m.message_id AND d.consumer = m.owner"
          + " WHERE m.processed_at IS NULL GROUP BY m.consumer ORDER BY m.consumer";

  private static final String PARKED =
      "SELECT COUNT(*) AS waiting, MIN(parked_at) AS oldest FROM outbox_holds";

  private final DataSource source;

  public JdbcBacklogs(DataSource source) {
    this.source = requireNonNull(source, "source");
  }

  @Override
  public Backlog outbox() {
    return backlog(OUTBOX);
  }

  @Override
  public Backlog parked() {
    return backlog(PARKED);
  }

  @Override
  public List<InboxBacklog> inboxes() {
    return read(
        INBOXES,
        (database, row) -> {
          List<InboxBacklog> inboxes = new ArrayList<>();
          while (row.next()) {
            String consumer = row.getString("consumer");
            inboxes.add(
                new InboxBacklog(
                    consumer == null ? "" : consumer,
                    backlog(database, row, "waiting", "oldest"),
                    backlog(database, row, "dead", "oldest_dead")));
          }
          return inboxes;
        });
  }

  private Backlog backlog(String sql) {
    return read(
        sql,
        (database, row) -> {
          row.next();
          return backlog(database, row, "waiting", "oldest");
        });
  }

  private static Backlog backlog(Database database, ResultSet row, String count, String oldest)
      throws SQLException {
    return new Backlog(row.getLong(count), database.optionalTime(row, oldest).orElse(null));
  }

  private interface Reader<T> {
    T read(Database database, ResultSet rows) throws SQLException;
  }

  private <T> T read(String sql, Reader<T> reader) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return reader.read(Database.of(connection), rows);
    } catch (SQLException e) {
      throw new OutboxStoreException("the backlog cannot be counted", e);
    }
  }
}
