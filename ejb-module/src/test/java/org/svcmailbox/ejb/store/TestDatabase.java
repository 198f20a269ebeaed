package org.svcmailbox.ejb.store;

import jakarta.persistence.EntityManagerFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.svcmailbox.test.files.Trees;
import org.svcmailbox.test.process.PostgresServer;

/** A real, migrated database for one test class, emptied before each test. */
public abstract class TestDatabase
    implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
  private static final List<String> TABLES =
      List.of(
          "topic",
          "deleted_topic",
          "idempotency_page",
          "ledger_page",
          "ledger_head",
          "ledger_start",
          "send_log",
          "ledger_floor",
          "root_key",
          "revocation",
          "minting",
          "audit",
          "rendezvous_token",
          "rendezvous_access",
          "dlq_job",
          "history_minute",
          "cluster_map",
          "cluster_node",
          "slot_group",
          "dead_letter",
          "dead_letter_search");

  private @Nullable OpenDatabase open;

  /** SQLite in its own file, as durable as in production. */
  public static TestDatabase sqlite() {
    return new Sqlite();
  }

  /** SQLite in memory, as in amnesia. */
  public static TestDatabase memory() {
    return new Memory();
  }

  /** PostgreSQL from a jar, one server for the test run and one database for each class. */
  public static TestDatabase postgres() {
    return new Postgres();
  }

  /** The same with a socket timeout. */
  public static TestDatabase postgres(Duration socketTimeout) {
    Postgres database = new Postgres();
    database.source.setSocketTimeout((int) socketTimeout.toSeconds());
    return database;
  }

  public abstract DataSource source();

  abstract void start(ExtensionContext context) throws IOException, SQLException;

  abstract void stop() throws IOException, SQLException;

  public Transactions transactions() {
    return Objects.requireNonNull(open).transactions();
  }

  /** Statements that {@code work} sends; a batch counts as one. */
  public long statements(Runnable work) {
    OpenDatabase asked = Objects.requireNonNull(open);
    long before = asked.statements();
    work.run();
    return asked.statements() - before;
  }

  /** The deployment's persistence unit with changed settings. */
  EntityManagerFactory entityManagers(Map<String, Object> changed) {
    return OpenDatabase.entityManagers(source(), changed);
  }

  /** Reopens the database, like a restart. */
  public void reopen() throws SQLException {
    close();
    open();
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException, SQLException {
    start(context);
    open();
  }

  @Override
  public void beforeEach(ExtensionContext context) throws SQLException {
    try (Connection connection = Objects.requireNonNull(open).connection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (String table : TABLES) {
        statement.addBatch("delete from " + table);
      }
      int[] unused = statement.executeBatch();
      connection.commit();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException, SQLException {
    close();
    stop();
  }

  private void open() throws SQLException {
    open = OpenDatabase.of(source());
  }

  private void close() throws SQLException {
    if (open != null) {
      open.close();
    }
  }

  private static final class Sqlite extends TestDatabase {
    private final SQLiteDataSource source = new SQLiteDataSource(config());
    private @Nullable Path directory;

    private static SQLiteConfig config() {
      SQLiteConfig config = new SQLiteConfig();
      config.setJournalMode(SQLiteConfig.JournalMode.WAL);
      config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
      config.setBusyTimeout(1_000);
      return config;
    }

    @Override
    public DataSource source() {
      return source;
    }

    @Override
    void start(ExtensionContext context) throws IOException {
      directory = Files.createTempDirectory("mailbox-test");
      source.setUrl("jdbc:sqlite:" + directory.resolve("mailbox.db"));
    }

    @Override
    void stop() throws IOException {
      Trees.delete(Objects.requireNonNull(directory));
    }
  }

  private static final class Memory extends TestDatabase {
    private final DataSource source = MemoryUrl.source();
    private @Nullable Connection keeper;

    @Override
    public DataSource source() {
      return source;
    }

    @Override
    void start(ExtensionContext context) throws SQLException {
      keeper = source.getConnection();
    }

    @Override
    void stop() throws SQLException {
      Objects.requireNonNull(keeper).close();
    }
  }

  private static final class Postgres extends TestDatabase {
    private final PGSimpleDataSource source = new PGSimpleDataSource();

    @Override
    public DataSource source() {
      return source;
    }

    @Override
    void start(ExtensionContext context) throws SQLException {
      PostgresServer server =
          context
              .getRoot()
              .getStore(ExtensionContext.Namespace.GLOBAL)
              .getOrComputeIfAbsent(
                  PostgresServer.class, type -> PostgresServer.start(), PostgresServer.class);
      String name = context.getRequiredTestClass().getSimpleName();
      try (Connection connection = server.source().getConnection();
          Statement statement = connection.createStatement()) {
        statement.executeUpdate("create database \"" + name + "\"");
      }
      source.setUrl(server.url(name));
    }

    @Override
    void stop() {
      // The end of the test run stops the server.
    }
  }
}
