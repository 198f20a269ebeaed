package org.svcmailbox.ejb.store;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** The tables, brought to the version this code needs before anything uses them. */
final class Schema {
  /** On Open Liberty found by the empty file {@code flyway.location} beside the scripts. */
  private static final String SCRIPTS = "classpath:db/migration";

  private Schema() {}

  /** Runs the migrations that {@code source} has not had yet. */
  static void migrate(DataSource source, Database database) {
    Flyway.configure(Schema.class.getClassLoader())
        .dataSource(source)
        .locations(SCRIPTS)
        .placeholders(database.spellings())
        .cleanDisabled(true)
        .load()
        .migrate();
  }
}
