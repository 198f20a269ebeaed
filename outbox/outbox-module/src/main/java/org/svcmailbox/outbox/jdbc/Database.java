package org.svcmailbox.outbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.OutboxException;

/** The databases that an outbox can be in, and how their SQL differs. */
public enum Database {
  /** PostgreSQL 13 or later. */
  POSTGRESQL(
      "PostgreSQL",
      """
      INSERT INTO outbox_events (id, aggregate_type, aggregate_id, event_type, event_version,
        payload, occurred_at, correlation_id, causation_id)
      VALUES (CAST(? AS uuid), ?, ?, ?, CAST(? AS int), CAST(? AS jsonb),
        LEAST(COALESCE(CAST(NULLIF(?, '') AS timestamptz), clock_timestamp()),
          now() + interval '1 minute'),
        CAST(NULLIF(?, '') AS uuid), CAST(NULLIF(?, '') AS uuid))""",
      "INSERT INTO outbox_headers (event_id, traceparent, tracestate)"
          + " VALUES (CAST(? AS uuid), ?, NULLIF(?, ''))",
      "strpos(?, substr(md5(e.aggregate_type || ':' || e.aggregate_id), 1, 1)) > 0",
      InsertNew.ON_CONFLICT),
  /** H2 2.2 or later. */
  H2(
      "H2",
      """
      INSERT INTO outbox_events (id, aggregate_type, aggregate_id, event_type, event_version,
        payload, occurred_at, correlation_id, causation_id)
      VALUES (CAST(? AS UUID), ?, ?, ?, CAST(? AS INT), ? FORMAT JSON,
        LEAST(CAST(? AS TIMESTAMP(6) WITH TIME ZONE), CURRENT_TIMESTAMP + INTERVAL '1' MINUTE),
        CAST(NULLIF(?, '') AS UUID), CAST(NULLIF(?, '') AS UUID))""",
      "INSERT INTO outbox_headers (event_id, traceparent, tracestate)"
          + " VALUES (CAST(? AS UUID), ?, NULLIF(?, ''))",
      "LOCATE(SUBSTRING(LOWER(RAWTOHEX(HASH('MD5',"
          + " e.aggregate_type || ':' || e.aggregate_id))), 1, 1), ?) > 0",
      InsertNew.MERGE),
  /** SQLite 3.42 or later, with one publisher. */
  SQLITE(
      "SQLite",
      """
      INSERT INTO outbox_events (id, aggregate_type, aggregate_id, event_type, event_version,
        payload, occurred_at, correlation_id, causation_id)
      VALUES (?, ?, ?, ?, CAST(? AS INTEGER), ?,
        MIN(CAST(? AS INTEGER), CAST((unixepoch('subsec') + 60) * 1000000 AS INTEGER)),
        NULLIF(?, ''), NULLIF(?, ''))""",
      "INSERT INTO outbox_headers (event_id, traceparent, tracestate) VALUES (?, ?, NULLIF(?, ''))",
      "? <> ''",
      InsertNew.ON_CONFLICT);

  private static final int MICROS = 1_000_000;

  private final String product;
  private final String insertEvent;
  private final String insertHeaders;
  private final String inLanes;
  private final InsertNew insertNew;

  /** Inserts rows into the inbox unless they are there. */
  private enum InsertNew {
    ON_CONFLICT(
        "INSERT INTO inbox_messages (message_id, subject, received_at, attempts)"
            + " VALUES (?, ?, ?, 1) ON CONFLICT DO NOTHING",
        "INSERT INTO inbox_consumers (message_id, subject, received_at, consumer, attempts)"
            + " VALUES (?, ?, ?, ?, 1) ON CONFLICT DO NOTHING",
        "INSERT INTO inbox_first_consumer (id, consumer) VALUES (1, ?) ON CONFLICT DO NOTHING"),
    MERGE(
        "MERGE INTO inbox_messages m USING (VALUES (CAST(? AS UUID), CAST(? AS VARCHAR),"
            + " CAST(? AS TIMESTAMP(6) WITH TIME ZONE))) AS n (id, subject, received_at)"
            + " ON m.message_id = n.id WHEN NOT MATCHED THEN INSERT"
            + " (message_id, subject, received_at, attempts) VALUES (n.id, n.subject,"
            + " n.received_at, 1)",
        "MERGE INTO inbox_consumers m USING (VALUES (CAST(? AS UUID), CAST(? AS VARCHAR),"
            + " CAST(? AS TIMESTAMP(6) WITH TIME ZONE), CAST(? AS VARCHAR)))"
            + " AS n (id, subject, received_at, consumer)"
            + " ON m.message_id = n.id AND m.consumer = n.consumer WHEN NOT MATCHED THEN INSERT"
            + " (message_id, subject, received_at, consumer, attempts) VALUES (n.id, n.subject,"
            + " n.received_at, n.consumer, 1)",
        "MERGE INTO inbox_first_consumer f USING (VALUES (CAST(? AS VARCHAR))) AS n (consumer)"
            + " ON f.id = 1 WHEN NOT MATCHED THEN INSERT (id, consumer) VALUES (1, n.consumer)");

    private final String ofFirst;
    private final String ofOthers;
    private final String firstConsumer;

    InsertNew(String ofFirst, String ofOthers, String firstConsumer) {
      this.ofFirst = ofFirst;
      this.ofOthers = ofOthers;
      this.firstConsumer = firstConsumer;
    }
  }

  Database(
      String product,
      String insertEvent,
      String insertHeaders,
      String inLanes,
      InsertNew insertNew) {
    this.insertNew = insertNew;
    this.product = product;
    this.insertEvent = insertEvent;
    this.insertHeaders = insertHeaders;
    this.inLanes = inLanes;
  }

  /**
   * The database of a connection.
   *
   * @throws OutboxException with {@link ErrorCode#INVALID_CONFIG} if it is another
   */
  public static Database of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    for (Database database : values()) {
      if (database.product.equals(product)) {
        return database;
      }
    }
    throw new OutboxException(ErrorCode.INVALID_CONFIG, "an outbox cannot be in " + product);
  }

  /** Inserts an event; takes the parameters of {@link EventRow#event}, all of them strings. */
  public String insertEvent() {
    return insertEvent;
  }

  /** Inserts the trace of an event; takes the parameters of {@link EventRow#headers}. */
  public String insertHeaders() {
    return insertHeaders;
  }

  /** Whether the aggregate of {@code e} is in one of the lanes whose digits the parameter has. */
  String inLanes() {
    return inLanes;
  }

  /**
   * Inserts a message that is not there, with one attempt; takes id, subject and time, and the
   * owner if its table has others.
   */
  String insertNewMessage(MessageTable table) {
    return table == MessageTable.OF_FIRST ? insertNew.ofFirst : insertNew.ofOthers;
  }

  /** Makes a consumer the first one of the database, if there is none; takes its name. */
  String insertFirstConsumer() {
    return insertNew.firstConsumer;
  }

  /** Whether row locks keep publishers apart. */
  boolean hasRowLocks() {
    return this != SQLITE;
  }

  /** Whether a parameter can be an array of ids. */
  boolean hasArrays() {
    return this == POSTGRESQL;
  }

  /** Bounds how long a transaction waits for the row of another. The others have a bound anyway. */
  void boundLocks(Connection connection) throws SQLException {
    if (this == POSTGRESQL) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET LOCAL lock_timeout = '5s'");
      }
    }
  }

  /**
   * Begins a transaction with row locks. PostgreSQL ends it where a publisher stands still, such as
   * one in a machine that sleeps.
   */
  void beginClaim(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    if (this == POSTGRESQL) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET LOCAL idle_in_transaction_session_timeout = '60s'");
      }
    }
  }

  /** A time as a parameter of {@link #insertEvent}. */
  String text(Instant time) {
    return this == SQLITE ? Long.toString(micros(time)) : time.toString();
  }

  void setTime(PreparedStatement statement, int index, Instant time) throws SQLException {
    if (this == SQLITE) {
      statement.setLong(index, micros(time));
    } else {
      statement.setObject(index, time.atOffset(ZoneOffset.UTC));
    }
  }

  void setOptionalTime(PreparedStatement statement, int index, @Nullable Instant time)
      throws SQLException {
    if (time == null) {
      statement.setNull(index, this == SQLITE ? Types.INTEGER : Types.TIMESTAMP_WITH_TIMEZONE);
    } else {
      setTime(statement, index, time);
    }
  }

  void setId(PreparedStatement statement, int index, UUID id) throws SQLException {
    if (this == SQLITE) {
      statement.setString(index, id.toString());
    } else {
      statement.setObject(index, id);
    }
  }

  /** Sets the parameters that end the statements of a {@link MessageTable}. */
  void setKey(PreparedStatement statement, int index, UUID id, String owner) throws SQLException {
    setId(statement, index, id);
    statement.setString(index + 1, owner);
  }

  void setOptionalId(PreparedStatement statement, int index, @Nullable UUID id)
      throws SQLException {
    if (id == null) {
      statement.setNull(index, this == SQLITE ? Types.VARCHAR : Types.OTHER);
    } else {
      setId(statement, index, id);
    }
  }

  Instant time(ResultSet row, String column) throws SQLException {
    return optionalTime(row, column).orElseThrow(() -> new SQLException(column + " is null"));
  }

  Optional<Instant> optionalTime(ResultSet row, String column) throws SQLException {
    if (this == SQLITE) {
      long micros = row.getLong(column);
      return row.wasNull() ? Optional.empty() : Optional.of(ofMicros(micros));
    }
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  UUID id(ResultSet row, String column) throws SQLException {
    UUID id = optionalId(row, column);
    if (id == null) {
      throw new SQLException(column + " is null");
    }
    return id;
  }

  @Nullable UUID optionalId(ResultSet row, String column) throws SQLException {
    if (this == SQLITE) {
      String id = row.getString(column);
      return id == null ? null : UUID.fromString(id);
    }
    return row.getObject(column, UUID.class);
  }

  private static long micros(Instant time) {
    return Math.addExact(Math.multiplyExact(time.getEpochSecond(), MICROS), time.getNano() / 1_000);
  }

  private static Instant ofMicros(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1_000L);
  }
}
