package org.svcmailbox.outbox.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.postgresql.ds.PGConnectionPoolDataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.svcmailbox.test.process.PostgresServer;

/** One PostgreSQL for all test classes of a JVM, with a database for each. It ends with the JVM. */
public final class SharedPostgres {
  private SharedPostgres() {}

  private static final class Running {
    private static final PostgresServer SERVER = PostgresServer.start();

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close));
    }
  }

  /**
   * An empty database, whose connections are pooled: each new one is a process of PostgreSQL.
   *
   * @param name lower-case letters; each name once
   */
  public static DataSource database(String name) {
    PGConnectionPoolDataSource source = new PGConnectionPoolDataSource();
    source.setUrl(create(name));
    return JdbcConnectionPool.create(source);
  }

  /** The same, and closed connections end. */
  static DataSource withoutPool(String name) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(create(name));
    return source;
  }

  private static String create(String name) {
    try (Connection connection = Running.SERVER.source().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return Running.SERVER.url(name);
  }

  /** Whether a transaction waits for a lock of another. */
  static boolean isAnyoneWaiting(DataSource source) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted)")) {
      return row.next() && row.getBoolean(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
