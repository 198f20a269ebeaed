package org.svcmailbox.ejb.store;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** Counts the statements that are prepared on the connections of another source. */
final class CountingSource implements DataSource {
  private final DataSource source;
  private final AtomicLong statements = new AtomicLong();

  CountingSource(DataSource source) {
    this.source = source;
  }

  long statements() {
    return statements.get();
  }

  private Connection counted(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            CountingSource.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                statements.incrementAndGet();
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Override
  public Connection getConnection() throws SQLException {
    return counted(source.getConnection());
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return counted(source.getConnection(user, password));
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return source.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    source.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    source.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return source.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return source.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return source.isWrapperFor(type);
  }
}
