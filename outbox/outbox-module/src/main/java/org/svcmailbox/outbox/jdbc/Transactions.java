package org.svcmailbox.outbox.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/** Transactions on connections of a data source, and statements in them. */
final class Transactions {
  private static final Logger LOG = System.getLogger(Transactions.class.getName());

  private Transactions() {}

  /** Work on a connection. */
  @FunctionalInterface
  interface Work<T> {
    T with(Connection connection, Database database) throws SQLException;
  }

  /** Sets the parameters of a statement. */
  @FunctionalInterface
  interface Binder {
    void bind(PreparedStatement statement) throws SQLException;
  }

  /**
   * Opens a connection for a transaction that outlives this call.
   *
   * @param begin takes the connection; if it throws, the connection is given back
   * @param failure the message of the exception
   * @throws OutboxStoreException if the database is away
   */
  static <T> T open(DataSource source, Work<T> begin, String failure) {
    try {
      Connection connection = source.getConnection();
      try {
        return begin.with(connection, Database.of(connection));
      } catch (SQLException | RuntimeException e) {
        end(connection);
        throw e;
      }
    } catch (SQLException e) {
      throw new OutboxStoreException(failure, e);
    }
  }

  /**
   * Does work in a separate transaction, and commits it.
   *
   * @param failure the message of the exception
   * @throws OutboxStoreException if the database refuses or is away
   */
  static <T> T in(DataSource source, Work<T> work, String failure) {
    return open(
        source,
        (connection, database) -> {
          connection.setAutoCommit(false);
          T result = work.with(connection, database);
          connection.commit();
          end(connection);
          return result;
        },
        failure);
  }

  /** Ends what is not committed, and gives the connection back. */
  static void end(Connection connection) {
    try (connection) {
      if (!connection.getAutoCommit()) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "The connection is lost", e);
    }
  }

  /** Executes a statement that changes rows, and returns how many. */
  static int update(Connection connection, String sql, Binder binder) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      binder.bind(statement);
      return statement.executeUpdate();
    }
  }
}
