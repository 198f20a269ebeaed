package org.svcmailbox.ejb.store;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationVersion;

/** Migrates the tables to this code's version. */
final class Schema {
  private static final String SCRIPTS = "classpath:db/migration";

  private Schema() {}

  static void migrate(DataSource source, Database database) {
    migrate(source, database, MigrationVersion.LATEST);
  }

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
