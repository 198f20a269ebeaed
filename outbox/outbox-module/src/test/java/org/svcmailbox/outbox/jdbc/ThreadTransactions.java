package org.svcmailbox.outbox.jdbc;

import static java.util.Objects.requireNonNull;

import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a server with one database. Each thread has one connection while its
 * transaction lasts, which the application can neither commit nor roll back by itself.
 */
final class ThreadTransactions implements UserTransaction {
  private static final Set<String> FORBIDDEN = Set.of("commit", "rollback", "setAutoCommit");
  private static final ThreadLocal<Joined> CURRENT = new ThreadLocal<>();

  private final DataSource pool;

  private static final class Joined {
    private final Connection connection;
    private boolean isRollbackOnly;

    Joined(Connection connection) {
      this.connection = connection;
    }
  }

  ThreadTransactions(DataSource pool) {
    this.pool = pool;
  }

  /** A data source whose connections take part in the thread's transaction. */
  DataSource source() {
    return (DataSource)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> connection());
  }

  private Connection connection() {
    Connection joined = requireNonNull(CURRENT.get(), "no transaction").connection;
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> call(joined, method, arguments));
  }

  private static @Nullable Object call(Connection joined, Method method, Object[] arguments)
      throws Throwable {
    String name = method.getName();
    if (name.equals("close")) {
      return null;
    }
    if (FORBIDDEN.contains(name)) {
      throw new SQLException(name + " in a transaction of the server");
    }
    try {
      return method.invoke(joined, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public void begin() throws NotSupportedException, SystemException {
    if (CURRENT.get() != null) {
      throw new NotSupportedException("the thread has a transaction");
    }
    try {
      Connection connection = pool.getConnection();
      connection.setAutoCommit(false);
      CURRENT.set(new Joined(connection));
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public void commit() throws RollbackException, SystemException {
    Joined joined = end();
    try (Connection connection = joined.connection) {
      if (joined.isRollbackOnly) {
        connection.rollback();
        throw new RollbackException("marked");
      }
      connection.commit();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public void rollback() throws SystemException {
    try (Connection connection = end().connection) {
      connection.rollback();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private Joined end() {
    Joined joined = CURRENT.get();
    if (joined == null) {
      throw new IllegalStateException("the thread has no transaction");
    }
    CURRENT.remove();
    return joined;
  }

  @Override
  public void setRollbackOnly() {
    requireNonNull(CURRENT.get(), "no transaction").isRollbackOnly = true;
  }

  @Override
  public int getStatus() {
    return CURRENT.get() == null ? Status.STATUS_NO_TRANSACTION : Status.STATUS_ACTIVE;
  }

  @Override
  public void setTransactionTimeout(int seconds) {}

  private static SystemException failed(SQLException e) {
    SystemException failed = new SystemException(e.getMessage());
    failed.initCause(e);
    return failed;
  }
}
