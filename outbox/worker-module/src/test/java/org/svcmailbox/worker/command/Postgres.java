package org.svcmailbox.worker.command;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.svcmailbox.test.process.PostgresServer;
import org.svcmailbox.worker.config.WorkerSettings;

/** One PostgreSQL for the tests of commands. It ends with the JVM. */
final class Postgres {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private Postgres() {}

  private static final class Running {
    private static final PostgresServer SERVER = PostgresServer.start();

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close));
    }
  }

  /** An empty database. */
  static WorkerSettings.Database database() {
    String name = "worker" + COUNT.incrementAndGet();
    try (Connection connection = Running.SERVER.source().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return new WorkerSettings.Database(Running.SERVER.url(name), null, null, 3);
  }
}
