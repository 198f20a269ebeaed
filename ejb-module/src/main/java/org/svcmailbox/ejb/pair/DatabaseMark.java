package org.svcmailbox.ejb.pair;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The database's half of a pair's mark: a row, which can be read before its table exists. */
public final class DatabaseMark {
  private static final String TABLE = "store_identity";
  private static final String LOG = "send_log";

  /** The table of the send log before version 0.1. */
  private static final String EARLIER_LOG = "send_batch";

  /**
   * The pair ids of a database.
   *
   * @param id of its pair, null for none
   * @param next of the pair that it is about to join, null for none
   * @param wasUsed whether it ever had a batch, or a worker's log was made
   */
  record Content(@Nullable PairId id, @Nullable PairId next, boolean wasUsed) {}

  private final DataSource source;

  public DatabaseMark(DataSource source) {
    this.source = source;
  }

  /** Reads the ids and writes nothing; a database without tables has none. */
  Content read() throws SQLException {
    try (Connection connection = source.getConnection()) {
      boolean wasUsed = has(connection, LOG) && hasRows(connection, LOG);
      return has(connection, TABLE) ? read(connection, wasUsed) : new Content(null, null, wasUsed);
    }
  }

  /**
   * Refuses a database of a version before the first release.
   *
   * @throws PairException if it is one; nothing was changed
   */
  public void requireReadable() throws SQLException {
    try (Connection connection = source.getConnection()) {
      if (has(connection, EARLIER_LOG)) {
        throw new PairException(
            "The database was made by a version before 0.1, which this one cannot read. Drain it with"
                + " that version, then start with an empty database and an empty data directory");
      }
    }
  }

  private static Content read(Connection connection, boolean wasUsed) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select id, next_id from " + TABLE)) {
      return row.next()
          ? new Content(id(row.getString(1)), id(row.getString(2)), wasUsed)
          : new Content(null, null, wasUsed);
    }
  }

  private static @Nullable PairId id(@Nullable String text) {
    return text == null ? null : new PairId(text);
  }

  private static boolean has(Connection connection, String table) throws SQLException {
    try (ResultSet tables =
        connection.getMetaData().getTables(null, connection.getSchema(), table, null)) {
      return tables.next();
    }
  }

  private static boolean hasRows(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select 1 from " + table + " limit 1")) {
      return row.next();
    }
  }

  /** Records the pair that the database is about to join. */
  void announce(PairId next) throws SQLException {
    update("update " + TABLE + " set next_id = ?", next.text());
  }

  /** Replaces the database's id by the announced one. */
  void take(PairId id) throws SQLException {
    update("update " + TABLE + " set id = ?, next_id = null", id.text());
  }

  private void update(String statement, String value) throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement update = connection.prepareStatement(statement)) {
      update.setString(1, value);
      update.executeUpdate();
    }
  }
}
