package org.svcmailbox.outbox.jdbc;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.EventRules;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.Outbox;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.event.TraceContext;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/**
 * Records events by JDBC, in the transaction that the caller's connection is in. Thread-safe with a
 * data source; with a connection, as thread-safe as that.
 */
public final class JdbcOutbox implements Outbox {
  private final ConnectionSource connections;
  private final InstantSource clock;

  private interface ConnectionSource {
    Connection open() throws SQLException;

    /** Gives it back. */
    void release(Connection connection) throws SQLException;
  }

  private JdbcOutbox(ConnectionSource connections, InstantSource clock) {
    this.connections = connections;
    this.clock = clock;
  }

  /**
   * An outbox in the transaction of the calling thread.
   *
   * @param source returns the connection of the caller's transaction, like a server's JTA data
   *     source or Spring's {@code TransactionAwareDataSourceProxy}
   */
  public static JdbcOutbox of(DataSource source) {
    requireNonNull(source, "source");
    return new JdbcOutbox(
        new ConnectionSource() {
          @Override
          public Connection open() throws SQLException {
            return source.getConnection();
          }

          @Override
          public void release(Connection connection) throws SQLException {
            connection.close();
          }
        },
        InstantSource.system());
  }

  /**
   * An outbox in the transaction of one connection.
   *
   * @param connection the connection, which this class does not close
   */
  public static JdbcOutbox of(Connection connection) {
    return of(connection, InstantSource.system());
  }

  static JdbcOutbox of(Connection connection, InstantSource clock) {
    requireNonNull(connection, "connection");
    return new JdbcOutbox(
        new ConnectionSource() {
          @Override
          public Connection open() {
            return connection;
          }

          @Override
          public void release(Connection used) {}
        },
        clock);
  }

  @Override
  public MessageId record(NewEvent event) {
    EventRules.require(event, clock.instant());
    try {
      Connection connection = connections.open();
      try {
        insert(connection, event);
      } finally {
        connections.release(connection);
      }
    } catch (SQLException e) {
      throw new OutboxStoreException("the event " + event.id() + " was not recorded", e);
    }
    return event.id();
  }

  private void insert(Connection connection, NewEvent event) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new OutboxException(
          ErrorCode.NO_TRANSACTION, "an event is recorded in a transaction, not with auto-commit");
    }
    Database database = Database.of(connection);
    execute(connection, database.insertEvent(), EventRow.event(database, event, clock.instant()));
    @Nullable TraceContext trace = event.trace();
    if (trace != null) {
      execute(connection, database.insertHeaders(), EventRow.headers(event, trace));
    }
  }

  private static void execute(Connection connection, String sql, List<String> values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.size(); i++) {
        statement.setString(i + 1, values.get(i));
      }
      statement.executeUpdate();
    }
  }
}
