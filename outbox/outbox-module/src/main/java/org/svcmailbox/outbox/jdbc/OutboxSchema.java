package org.svcmailbox.outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/** Creates the tables of outbox and inbox, and brings them up to date. Needs Flyway. */
public final class OutboxSchema {
  /** The table in which Flyway records its steps, separate from the application's own history. */
  private static final String HISTORY = "outbox_schema_history";

  private OutboxSchema() {}

  /**
   * Runs the missing migrations, in the default schema of the connections.
   *
   * @return the number of migrations run
   * @throws OutboxStoreException if the database is away
   * @throws org.flywaydb.core.api.FlywayException if a step fails
   */
  public static int migrate(DataSource source) {
    return flyway(source).migrate().migrationsExecuted;
  }

  /**
   * Counts the missing migrations without running them.
   *
   * @throws OutboxStoreException if the database is away
   * @throws org.flywaydb.core.api.FlywayException if its history cannot be read
   */
  public static int pending(DataSource source) {
    return flyway(source).info().pending().length;
  }

  private static Flyway flyway(DataSource source) {
    return configuration(source).load();
  }

  static FluentConfiguration configuration(DataSource source) {
    return Flyway.configure(OutboxSchema.class.getClassLoader())
        .dataSource(source)
        .locations("classpath:org/svcmailbox/outbox/db/" + database(source))
        .table(HISTORY)
        .baselineOnMigrate(true)
        .baselineVersion("0");
  }

  private static String database(DataSource source) {
    try (Connection connection = source.getConnection()) {
      return Database.of(connection).name().toLowerCase(Locale.ROOT);
    } catch (SQLException e) {
      throw new OutboxStoreException("the database is away", e);
    }
  }
}
