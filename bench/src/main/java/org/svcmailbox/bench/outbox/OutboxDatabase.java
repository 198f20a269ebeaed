package org.svcmailbox.bench.outbox;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.svcmailbox.outbox.jdbc.OutboxSchema;
import org.svcmailbox.test.process.PostgresServer;

/**
 * PostgreSQL with the tables of the outbox and of an application, and a connection pool. Commits
 * are synchronous.
 */
final class OutboxDatabase implements AutoCloseable {
  private static final int CONNECTIONS = 40;

  private static final String FILL =
      """
      INSERT INTO outbox_events
        (id, aggregate_type, aggregate_id, event_type, payload, occurred_at)
      SELECT CAST(lpad(to_hex(n), 12, '0') || '70008000000000000000' AS uuid), 'order',
        CAST(%s AS text), 'order_placed',
        CAST(replace(?, '#', CAST(n AS text)) AS jsonb),
        now() - interval '1 hour' + n * interval '10 microseconds'
      FROM generate_series(CAST(? AS bigint), CAST(? AS bigint)) AS n"""
          .formatted(OutboxOrders.AGGREGATE_SQL);

  private final PostgresServer server;
  private final HikariDataSource pool;
  private long next = 1;

  private OutboxDatabase(PostgresServer server, HikariDataSource pool) {
    this.server = server;
    this.pool = pool;
  }

  /**
   * Starts the database.
   *
   * @param work directory for its files
   */
  static OutboxDatabase start(Path work) throws SQLException {
    PostgresServer server =
        PostgresServer.start(
            work.resolve("postgresql"), Redirect.appendTo(work.resolve("postgresql.txt").toFile()));
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(server.url());
    config.setMaximumPoolSize(CONNECTIONS);
    OutboxDatabase database = new OutboxDatabase(server, new HikariDataSource(config));
    OutboxSchema.migrate(database.pool);
    database.execute(
        "CREATE TABLE orders (id bigserial PRIMARY KEY, customer text NOT NULL, total numeric)");
    return database;
  }

  DataSource source() {
    return pool;
  }

  /** Fills the outbox with unpublished events, all different from earlier ones. */
  void fill(int events) throws SQLException {
    empty();
    try (Connection connection = pool.getConnection();
        PreparedStatement fill = connection.prepareStatement(FILL)) {
      fill.setString(1, OutboxOrders.TEMPLATE);
      fill.setLong(2, next);
      fill.setLong(3, next + events - 1);
      fill.executeUpdate();
    }
    next += events;
    settle("outbox_events");
  }

  void empty() throws SQLException {
    execute("TRUNCATE outbox_events, outbox_holds, inbox_messages, inbox_first_consumer, orders");
  }

  /**
   * Vacuums and analyzes a table and writes a checkpoint, which then cannot happen during a turn.
   */
  void settle(String table) throws SQLException {
    execute("VACUUM ANALYZE " + table);
    execute("CHECKPOINT");
  }

  /**
   * Requires that all events are published.
   *
   * @throws IllegalStateException if some are not
   */
  void requirePublished() throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM outbox_events WHERE published_at IS NULL")) {
      row.next();
      if (row.getLong(1) > 0) {
        throw new IllegalStateException(row.getLong(1) + " events are not published");
      }
    }
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() {
    pool.close();
    server.close();
  }
}
