package org.svcmailbox.ejb.store;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** The embedded database in a file of the test's choice, opened the way the server opens it. */
public final class SqliteFile implements AutoCloseable {
  /** Connects as a pool does: what {@link SQLiteDataSource} presets would win over the URL. */
  private static final class ByUrl extends SQLiteDataSource {
    @Override
    public Connection getConnection() throws SQLException {
      return DriverManager.getConnection(getUrl());
    }
  }

  private final DataSource source;
  // As in the server, whose pool never empties: the last connection that closes would write the
  // log back and sync the file, so that every transaction did more for its safety than it does.
  private final Connection idle;
  private final OpenDatabase open;

  private SqliteFile(DataSource source, Connection idle) throws SQLException {
    this.source = source;
    this.idle = idle;
    this.open = OpenDatabase.of(source);
    use(idle);
  }

  /** A connection takes part in the write-ahead log from its first look at a table. */
  private static void use(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeQuery("select count(*) from topic").close();
    }
  }

  /** Opens {@code file} with the parameters of {@code url} and migrates it. */
  public static SqliteFile open(ServerUrl url, Path file) throws SQLException {
    SQLiteDataSource source = new ByUrl();
    source.setUrl(url.of(file));
    Connection idle = source.getConnection();
    try {
      return new SqliteFile(source, idle);
    } catch (SQLException | RuntimeException e) {
      idle.close();
      throw e;
    }
  }

  /** Where connections come from. */
  public DataSource source() {
    return source;
  }

  /** The transactions over it. */
  public Transactions transactions() {
    return open.transactions();
  }

  @Override
  public void close() throws SQLException {
    open.close();
    idle.close();
  }
}
