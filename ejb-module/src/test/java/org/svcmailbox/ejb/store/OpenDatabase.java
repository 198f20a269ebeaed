package org.svcmailbox.ejb.store;

import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A migrated database with the deployment's persistence unit. */
final class OpenDatabase implements AutoCloseable {
  // Hibernate logs every failed statement, even expected failures.
  private static final Logger SQL_ERRORS =
      Logger.getLogger("org.hibernate.engine.jdbc.spi.SqlExceptionHelper");
  private static final Logger HIBERNATE = Logger.getLogger("org.hibernate");

  static {
    SQL_ERRORS.setLevel(Level.OFF);
    HIBERNATE.setLevel(Level.WARNING);
  }

  // As in the server. Without a pool each transaction would close SQLite's last connection, which
  // writes the log back and syncs the file.
  private final PooledSource pool;
  private final EntityManagerFactory entityManagers;
  private final Transactions transactions;

  private OpenDatabase(
      PooledSource pool, EntityManagerFactory entityManagers, Transactions transactions) {
    this.pool = pool;
    this.entityManagers = entityManagers;
    this.transactions = transactions;
  }

  static OpenDatabase of(DataSource source) throws SQLException {
    Database database = Database.of(source);
    Schema.migrate(source, database);
    PooledSource pool = new PooledSource(source);
    EntityManagerFactory entityManagers = entityManagers(pool, Map.of());
    Transactions transactions =
        new Transactions(
            entityManagers,
            new ResourceLocalTransactionBoundary(),
            pool,
            database,
            new WriteGate(database.writers(), Duration.ofSeconds(10)),
            ServerLock.OF_THE_BROKER);
    return new OpenDatabase(pool, entityManagers, transactions);
  }

  /** The deployment's persistence unit with changed settings. */
  static EntityManagerFactory entityManagers(DataSource source, Map<String, Object> changed) {
    Map<String, Object> settings = new HashMap<>(changed);
    settings.put("jakarta.persistence.transactionType", "RESOURCE_LOCAL");
    settings.put("jakarta.persistence.nonJtaDataSource", source);
    return Persistence.createEntityManagerFactory("mailbox", settings);
  }

  /** Statements prepared since opening; a batch counts as one. */
  long statements() {
    return pool.statements();
  }

  Transactions transactions() {
    return transactions;
  }

  /** One of the pool's connections. */
  Connection connection() throws SQLException {
    return pool.getConnection();
  }

  @Override
  public void close() throws SQLException {
    entityManagers.close();
    pool.close();
  }
}
