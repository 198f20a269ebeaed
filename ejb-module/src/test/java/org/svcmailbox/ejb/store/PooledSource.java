package org.svcmailbox.ejb.store;

import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Pools the connections of another source, and counts prepared statements. */
final class PooledSource implements DataSource, AutoCloseable {
  private static final Set<String> STATEMENTS = Set.of("prepareStatement", "createStatement");

  private final DataSource source;
  private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();
  private final AtomicLong statements = new AtomicLong();

  PooledSource(DataSource source) {
    this.source = source;
  }

  /** A connection until it is closed. */
  private final class Handle implements InvocationHandler {
    private final AtomicReference<@Nullable Connection> held;

    Handle(Connection connection) {
      held = new AtomicReference<>(connection);
    }

    @Override
    public @Nullable Object invoke(
        Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
      if (method.getName().equals("close")) {
        giveBack(held.getAndSet(null));
        return null;
      }
      Connection connection = held.get();
      if (connection == null) {
        throw new SQLException("closed");
      }
      if (STATEMENTS.contains(method.getName())) {
        statements.incrementAndGet();
      }
      try {
        return method.invoke(connection, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  private void giveBack(@Nullable Connection connection) throws SQLException {
    if (connection == null) {
      return;
    }
    try {
      if (!connection.getAutoCommit()) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
      idle.add(connection);
    } catch (SQLException e) {
      // Lost, or in an unknown state.
      connection.close();
    }
  }

  long statements() {
    return statements.get();
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection kept = idle.poll();
    while (kept != null && kept.isClosed()) {
      kept = idle.poll();
    }
    return (Connection)
        Proxy.newProxyInstance(
            PooledSource.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new Handle(kept == null ? source.getConnection() : kept));
  }

  @Override
  public Connection getConnection(String user, String password) {
    throw new UnsupportedOperationException();
  }

  /** Closes idle connections. */
  @Override
  public void close() throws SQLException {
    for (Connection kept = idle.poll(); kept != null; kept = idle.poll()) {
      kept.close();
    }
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
