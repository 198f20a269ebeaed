package org.svcmailbox.ejb.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import javax.sql.DataSource;
import org.svcmailbox.core.problem.StartException;

/** The supported databases and their dialects. */
public enum Database {
  /** Embedded, with one writer at a time. */
  SQLITE(
      "SQLite",
      1,
      "integer primary key autoincrement",
      "integer primary key",
      "blob",
      "blob",
      " without rowid",
      "create virtual table dead_letter_search using fts5(words, content='',"
          + " contentless_delete=1, detail=none, tokenize='ascii')"),
  /** Writers conflict only on shared rows. */
  POSTGRESQL(
      "PostgreSQL",
      Integer.MAX_VALUE,
      "integer generated always as identity primary key",
      "bigint primary key",
      "uuid",
      "bytea",
      "",
      "create table dead_letter_search (place bigint primary key, words text not null, terms tsvector"
          + " generated always as (array_to_tsvector(string_to_array(words, ' '))) stored);"
          + " create index dead_letter_search_terms on dead_letter_search using gin (terms)");

  private final String product;
  private final int writers;
  private final String identity;
  private final String ordered;
  private final String uuid;
  private final String bytes;
  private final String clustered;
  private final String letterSearch;

  Database(
      String product,
      int writers,
      String identity,
      String ordered,
      String uuid,
      String bytes,
      String clustered,
      String letterSearch) {
    this.ordered = ordered;
    this.letterSearch = letterSearch;
    this.product = product;
    this.writers = writers;
    this.identity = identity;
    this.uuid = uuid;
    this.bytes = bytes;
    this.clustered = clustered;
  }

  static Database of(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      String found = connection.getMetaData().getDatabaseProductName();
      return Arrays.stream(values())
          .filter(database -> database.product.equals(found))
          .findFirst()
          .orElseThrow(() -> unknown(found));
    }
  }

  private static StartException unknown(String found) {
    return new StartException(
        "MAILBOX_DB_URL names a database of " + found + ". Use SQLite or PostgreSQL", true, null);
  }

  /**
   * Checks that several nodes can write.
   *
   * @throws StartException if one process has the database for itself
   */
  public void requireShareable() {
    if (this == SQLITE) {
      throw new StartException(
          "mailbox.cluster.node needs PostgreSQL: set MAILBOX_DB_DRIVER=postgresql", true, null);
    }
  }

  /**
   * Keeps other servers from writing. Throws {@link DatabaseInUseException} when another one
   * already does.
   *
   * @param isShared whether other nodes of a cluster write too
   */
  ServerLock lock(DataSource source, boolean isShared, Duration patience) throws SQLException {
    if (isShared) {
      requireShareable();
    }
    return switch (this) {
      case SQLITE -> ServerLock.OF_THE_BROKER;
      case POSTGRESQL -> PostgresLock.acquire(source, isShared, patience);
    };
  }

  /**
   * Estimates the bytes on disk of a row with a short key and an incompressible blob, with its
   * share of the index and of free space, within 20 %.
   */
  public int rowBytes(int blob) {
    return switch (this) {
      case SQLITE -> SqliteFormat.rowBytes(blob);
      case POSTGRESQL -> PostgresFormat.rowBytes(blob);
    };
  }

  /** Whether a transaction can commit after its client has given up. */
  public boolean commitsLate() {
    return this == POSTGRESQL;
  }

  /** The number of concurrent writers. */
  int writers() {
    return writers;
  }

  /** Placeholders of the migration scripts. */
  Map<String, String> spellings() {
    return Map.of(
        "identity",
        identity,
        "ordered",
        ordered,
        "uuid",
        uuid,
        "bytes",
        bytes,
        "clustered",
        clustered,
        "letter_search",
        letterSearch);
  }
}
