package org.svcmailbox.ejb.store;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** The embedded database in a chosen file, opened as the server does. */
public final class SqliteFile implements AutoCloseable {
  /** Connects like a pool: presets of {@link SQLiteDataSource} would override the URL. */
  private static final class ByUrl extends SQLiteDataSource {
    @Override
    public Connection getConnection() throws SQLException {
      return DriverManager.getConnection(getUrl());
    }
  }

  private final DataSource source;
  private final OpenDatabase open;

  private SqliteFile(DataSource source) throws SQLException {
    this.source = source;
    this.open = OpenDatabase.of(source);
  }

  /** Opens {@code file} with the parameters of {@code url} and migrates it. */
  public static SqliteFile open(ServerUrl url, Path file) throws SQLException {
    SQLiteDataSource source = new ByUrl();
    source.setUrl(url.of(file));
    return new SqliteFile(source);
  }

  public DataSource source() {
    return source;
  }

  public Transactions transactions() {
    return open.transactions();
  }

  @Override
  public void close() throws SQLException {
    open.close();
  }
}
