package org.svcmailbox.ejb.store;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationVersion;

/** The tables, brought to the version this code needs before anything uses them. */
final class Schema {
  private static final String SCRIPTS = "classpath:db/migration";

  private Schema() {}

  /** Runs the migrations that {@code source} has not had yet. */
  static void migrate(DataSource source, Database database) {
    migrate(source, database, MigrationVersion.LATEST);
  }

  /** The same up to a version. */
  static void migrate(DataSource source, Database database, MigrationVersion target) {
    Flyway.configure(Schema.class.getClassLoader())
        .dataSource(source)
        .locations(SCRIPTS)
        .javaMigrations(new KeysIntoPages(), new CountLedgers(database))
        .placeholders(database.spellings())
        .cleanDisabled(true)
        .target(target)
        .load()
        .migrate();
  }
}
