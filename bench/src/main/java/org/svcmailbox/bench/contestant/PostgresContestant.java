package org.svcmailbox.bench.contestant;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.bench.load.ClosedLoop;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Outcome;
import org.svcmailbox.bench.load.QueueClient;
import org.svcmailbox.bench.machine.ProcessUsage;
import org.svcmailbox.test.process.PostgresServer;

/** A hand-written queue in a PostgreSQL table. */
public final class PostgresContestant implements Contestant {
  private static final int FILLERS = 4;
  private static final int FILL_BATCH = 500;

  private @Nullable PostgresServer server;

  @Override
  public String name() {
    return "postgresql";
  }

  @Override
  public String title() {
    return "PostgreSQL, skip locked";
  }

  @Override
  public String durability() {
    return "fsync before the answer";
  }

  @Override
  public boolean can(Load load) {
    return true;
  }

  @Override
  public void start(Path directory, Path output) throws IOException {
    server = PostgresServer.start(directory, Redirect.appendTo(output.toFile()));
  }

  @Override
  public void create(String queue) throws SQLException {
    execute("create table %s (id bigserial primary key, payload bytea not null)", queue);
  }

  @Override
  public void fill(String queue, int messages) throws InterruptedException {
    ClosedLoop.fill(number -> client(queue), FILLERS, FILL_BATCH, messages);
  }

  @Override
  public Outcome run(Load load, String queue, Duration lasting) throws InterruptedException {
    return ClosedLoop.runOrAtRate(number -> client(queue), load, lasting);
  }

  @Override
  public void delete(String queue) throws SQLException {
    execute("drop table %s", queue);
  }

  @Override
  public ProcessUsage processes() {
    return new ProcessUsage(Objects.requireNonNull(server).process());
  }

  @Override
  public boolean isJvm() {
    return false;
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }

  private QueueClient client(String queue) throws SQLException {
    return new PostgresClient(connect(), table(queue));
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(
        Objects.requireNonNull(server).url() + "&reWriteBatchedInserts=true");
  }

  private void execute(String statement, String queue) throws SQLException {
    try (Connection connection = connect();
        Statement sql = connection.createStatement()) {
      sql.execute(statement.formatted(table(queue)));
    }
  }

  private static String table(String queue) {
    return queue.replace('.', '_');
  }
}
