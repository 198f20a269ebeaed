package org.svcmailbox.ejb.store;

import jakarta.persistence.EntityManagerFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
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

/** A real, migrated database for the tests of one class, emptied before each. */
public abstract class TestDatabase
    implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
  private static final List<String> TABLES =
      List.of(
          "topic",
          "deleted_topic",
          "idempotency_page",
          "ledger_page",
          "ledger_start",
          "send_batch",
          "root_key",
          "revocation",
          "audit",
          "dlq_job",
          "dead_letter",
          "dead_letter_search");

  private @Nullable OpenDatabase open;

  /** SQLite in a file of its own, as durable as in production. */
  public static TestDatabase sqlite() {
    return new Sqlite();
  }

  /** SQLite in memory, as in amnesia. */
  public static TestDatabase memory() {
    return new Memory();
  }

  /** A PostgreSQL server unpacked from a jar, one for the whole test run. */
  public static TestDatabase postgres() {
    return new Postgres();
  }

  /** Where the tests' connections come from. */
  public abstract DataSource source();

  abstract void start(ExtensionContext context) throws IOException;

  abstract void stop() throws IOException;

  /** The transactions to test with. */
  public Transactions transactions() {
    return Objects.requireNonNull(open).transactions();
  }

  /** How many statements {@code work} sends, a batch of many rows being one. */
  public long statements(Runnable work) {
    Statistics statistics = entityManagers().unwrap(SessionFactory.class).getStatistics();
    statistics.clear();
    statistics.setStatisticsEnabled(true);
    long before = Objects.requireNonNull(open).plainStatements();
    work.run();
    statistics.setStatisticsEnabled(false);
    long plain = Objects.requireNonNull(open).plainStatements() - before;
    return plain + statistics.getPrepareStatementCount();
  }

  /** The deployment's persistence unit over this database, with these settings changed. */
  EntityManagerFactory entityManagers(Map<String, Object> changed) {
    return OpenDatabase.entityManagers(source(), changed);
  }

  EntityManagerFactory entityManagers() {
    return Objects.requireNonNull(open).entityManagers();
  }

  /** Opens the database anew, as a restart does. */
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
    try (Connection connection = source().getConnection();
        Statement statement = connection.createStatement()) {
      for (String table : TABLES) {
        statement.executeUpdate("delete from " + table);
      }
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    close();
    stop();
  }

  private void open() throws SQLException {
    open = OpenDatabase.of(source());
  }

  private void close() {
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
    void start(ExtensionContext context) throws IOException {
      try {
        keeper = source.getConnection();
      } catch (SQLException e) {
        throw new IOException(e);
      }
    }

    @Override
    void stop() throws IOException {
      try {
        Objects.requireNonNull(keeper).close();
      } catch (SQLException e) {
        throw new IOException(e);
      }
    }
  }

  private static final class Postgres extends TestDatabase {
    private final PGSimpleDataSource source = new PGSimpleDataSource();

    @Override
    public DataSource source() {
      return source;
    }

    @Override
    void start(ExtensionContext context) throws IOException {
      PostgresServer server =
          context
              .getRoot()
              .getStore(ExtensionContext.Namespace.GLOBAL)
              .getOrComputeIfAbsent(
                  PostgresServer.class, type -> PostgresServer.start(), PostgresServer.class);
      source.setUrl(server.url());
    }

    @Override
    void stop() {
      // The test run's end stops the server.
    }
  }
}
