package org.svcmailbox.ejb.store;

import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A migrated database with the deployment's persistence unit over it. */
final class OpenDatabase implements AutoCloseable {
  // Hibernate reports every failed statement, also those whose failure is an expected answer.
  private static final Logger SQL_ERRORS =
      Logger.getLogger("org.hibernate.engine.jdbc.spi.SqlExceptionHelper");
  private static final Logger HIBERNATE = Logger.getLogger("org.hibernate");

  static {
    SQL_ERRORS.setLevel(Level.OFF);
    HIBERNATE.setLevel(Level.WARNING);
  }

  private final EntityManagerFactory entityManagers;
  private final CountingSource counted;
  private final Transactions transactions;

  private OpenDatabase(
      EntityManagerFactory entityManagers, CountingSource counted, Transactions transactions) {
    this.entityManagers = entityManagers;
    this.counted = counted;
    this.transactions = transactions;
  }

  static OpenDatabase of(DataSource source) throws SQLException {
    Database database = Database.of(source);
    Schema.migrate(source, database);
    EntityManagerFactory entityManagers = entityManagers(source, Map.of());
    CountingSource counted = new CountingSource(source);
    Transactions transactions =
        new Transactions(
            entityManagers,
            new ResourceLocalBoundary(),
            counted,
            database,
            new WriteGate(database.writers(), Duration.ofSeconds(10)));
    return new OpenDatabase(entityManagers, counted, transactions);
  }

  /** The deployment's persistence unit over {@code source}, with these settings changed. */
  static EntityManagerFactory entityManagers(DataSource source, Map<String, Object> changed) {
    Map<String, Object> settings = new HashMap<>(changed);
    settings.put("jakarta.persistence.transactionType", "RESOURCE_LOCAL");
    settings.put("jakarta.persistence.nonJtaDataSource", source);
    return Persistence.createEntityManagerFactory("mailbox", settings);
  }

  EntityManagerFactory entityManagers() {
    return entityManagers;
  }

  /** Statements that were prepared without an entity manager, ever. */
  long plainStatements() {
    return counted.statements();
  }

  Transactions transactions() {
    return transactions;
  }

  @Override
  public void close() {
    entityManagers.close();
  }
}
