package org.svcmailbox.outbox.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.event.Payload;
import org.svcmailbox.outbox.event.TraceContext;
import org.svcmailbox.outbox.publish.Position;

/** Turns events into parameters of SQL, and rows into events. */
public final class EventRow {
  /** The columns of {@code outbox_events}. */
  static final String COLUMNS =
      "e.id, e.aggregate_type, e.aggregate_id, e.event_type, e.event_version, e.payload,"
          + " e.occurred_at, e.correlation_id, e.causation_id, e.published_at, e.publish_attempts,"
          + " e.publish_error, COALESCE(e.seq, 0) AS seq";

  /** The order of events, as {@link Position} has it. */
  static final String ORDER = "e.occurred_at, COALESCE(e.seq, 0), e.id";

  /** Events after a position; takes what {@link #setPosition} sets. */
  static final String AFTER = "(" + ORDER + ") > (?, ?, ?)";

  private EventRow() {}

  /**
   * The parameters of {@link Database#insertEvent}, in order. An empty string is null: providers of
   * JPA disagree about the type of a null.
   *
   * @param now when the event occurred, where the database does not say
   */
  public static List<String> event(Database database, NewEvent event, Instant now) {
    return List.of(
        event.id().toString(),
        event.aggregateType(),
        event.aggregateId(),
        event.eventType(),
        Integer.toString(event.eventVersion()),
        event.payload().json(),
        occurredAt(database, event, now),
        Objects.toString(event.correlation().correlationId(), ""),
        Objects.toString(event.correlation().causationId(), ""));
  }

  private static String occurredAt(Database database, NewEvent event, Instant now) {
    Instant time = event.occurredAt();
    if (time == null && database == Database.POSTGRESQL) {
      return "";
    }
    return database.text((time == null ? now : time).truncatedTo(ChronoUnit.MICROS));
  }

  /** The parameters of {@link Database#insertHeaders}, in order. */
  public static List<String> headers(NewEvent event, TraceContext trace) {
    return List.of(
        event.id().toString(), trace.traceparent(), Objects.toString(trace.tracestate(), ""));
  }

  static OutboxEvent read(Database database, ResultSet row) throws SQLException {
    return new OutboxEvent(
        database.id(row, "id"),
        row.getString("aggregate_type"),
        row.getString("aggregate_id"),
        row.getString("event_type"),
        row.getInt("event_version"),
        new Payload(row.getString("payload")),
        database.time(row, "occurred_at"),
        database.optionalId(row, "correlation_id"),
        database.optionalId(row, "causation_id"),
        database.optionalTime(row, "published_at").orElse(null),
        row.getInt("publish_attempts"),
        row.getString("publish_error"));
  }

  static Position position(Database database, ResultSet row) throws SQLException {
    return new Position(
        database.time(row, "occurred_at"),
        row.getLong("seq"),
        new MessageId(database.id(row, "id")));
  }

  static void setPosition(Database database, PreparedStatement statement, int index, Position to)
      throws SQLException {
    database.setTime(statement, index, to.occurredAt());
    statement.setLong(index + 1, to.seq());
    database.setId(statement, index + 2, to.id().value());
  }

  static @Nullable TraceContext trace(ResultSet row) throws SQLException {
    return TraceContext.read(row.getString("traceparent"), row.getString("tracestate"));
  }
}
