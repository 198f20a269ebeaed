package org.svcmailbox.examples.outbox;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/**
 * The example's database: H2 in the server's data directory, which an annotation cannot name. A
 * commit is on disk when it returns.
 */
public class OrdersDatabase implements DataSource {
  private static final String OPTIONS = ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";

  private final JdbcDataSource h2 = new JdbcDataSource();

  /** Names the file; called by the server before the first connection is made. */
  public void setDatabaseName(String name) {
    String directory = System.getProperty("jboss.server.data.dir");
    h2.setURL("jdbc:h2:file:" + directory + "/orders/" + name + OPTIONS);
  }

  @Override
  public Connection getConnection() throws SQLException {
    return h2.getConnection();
  }

  /** There are no users. */
  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return h2.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    h2.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    h2.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return h2.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return h2.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return h2.isWrapperFor(type);
  }
}
