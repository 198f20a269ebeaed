package org.svcmailbox.outbox.jdbc;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** The test classes whose database has its tables: to look for missing ones takes long. */
final class Migrated {
  private static final Set<Class<?>> CLASSES = ConcurrentHashMap.newKeySet();

  private Migrated() {}

  /** Creates the tables before a class's first test. */
  static void once(Class<?> tests, DataSource source) {
    if (CLASSES.add(tests)) {
      OutboxSchema.migrate(source);
    }
  }
}
