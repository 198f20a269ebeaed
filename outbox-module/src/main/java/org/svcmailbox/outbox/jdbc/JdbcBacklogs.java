package org.svcmailbox.outbox.jdbc;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.svcmailbox.outbox.admin.Backlog;
import org.svcmailbox.outbox.admin.Backlogs;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/** The backlogs of a database. Thread-safe. */
public final class JdbcBacklogs implements Backlogs {
  private static final String OUTBOX =
      "SELECT COUNT(*), MIN(occurred_at) AS oldest FROM outbox_events WHERE published_at IS NULL";

  private static final String INBOX =
      "SELECT COUNT(*), MIN(received_at) AS oldest FROM inbox_messages WHERE processed_at IS NULL";

  private static final String PARKED =
      "SELECT COUNT(*), MIN(parked_at) AS oldest FROM outbox_holds";

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
  public Backlog inbox() {
    return backlog(INBOX);
  }

  private Backlog backlog(String sql) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return new Backlog(
          row.getLong(1), Database.of(connection).optionalTime(row, "oldest").orElse(null));
    } catch (SQLException e) {
      throw new OutboxStoreException("the backlog cannot be counted", e);
    }
  }
}
