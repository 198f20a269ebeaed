package org.svcmailbox.ejb.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import javax.sql.DataSource;

/** The databases the mailbox runs on, and how each spells what the schema needs. */
enum Database {
  /** Embedded. One writer at a time. */
  SQLITE("SQLite", 1, "integer primary key autoincrement", "blob", "blob", " without rowid"),
  /** Served. Writers meet only in the rows they share. */
  POSTGRESQL(
      "PostgreSQL",
      Integer.MAX_VALUE,
      "integer generated always as identity primary key",
      "uuid",
      "bytea",
      "");

  private final String product;
  private final int writers;
  private final String identity;
  private final String uuid;
  private final String bytes;
  private final String clustered;

  Database(
      String product, int writers, String identity, String uuid, String bytes, String clustered) {
    this.product = product;
    this.writers = writers;
    this.identity = identity;
    this.uuid = uuid;
    this.bytes = bytes;
    this.clustered = clustered;
  }

  /** Which one {@code source} leads to. */
  static Database of(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      String found = connection.getMetaData().getDatabaseProductName();
      return Arrays.stream(values())
          .filter(database -> database.product.equals(found))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("The database " + found + " is not known"));
    }
  }

  /** How many can write at the same time. */
  int writers() {
    return writers;
  }

  /** The placeholders of the migration scripts. */
  Map<String, String> spellings() {
    return Map.of("identity", identity, "uuid", uuid, "bytes", bytes, "clustered", clustered);
  }
}
