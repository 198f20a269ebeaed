package org.svcmailbox.outbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.event.TraceContext;
import org.svcmailbox.outbox.publish.EventClaim;
import org.svcmailbox.outbox.publish.Lane;

/**
 * Claims one event: the lane of its aggregate, so that no publisher sends it, and the hold of a
 * parked one, so that no operator moves it. SQLite has no row locks: an event can be skipped there
 * while it is sent.
 */
final class SingleClaim {
  private static final String LANE =
      "SELECT lane FROM outbox_lanes WHERE lane = ? FOR UPDATE SKIP LOCKED";

  private static final String EVENT =
      "SELECT "
          + EventRow.COLUMNS
          + ", h.traceparent, h.tracestate FROM outbox_events e"
          + " LEFT JOIN outbox_headers h ON h.event_id = e.id WHERE e.id = ?";

  private static final String HOLD = "SELECT event_id FROM outbox_holds WHERE event_id = ?";

  private final Connection connection;
  private final Database database;
  private final MessageId id;
  private boolean isParked;

  SingleClaim(Connection connection, Database database, MessageId id) {
    this.connection = connection;
    this.database = database;
    this.id = id;
  }

  /**
   * Claims and reads.
   *
   * @param traces takes the trace of the event
   */
  EventClaim read(Map<MessageId, TraceContext> traces) throws SQLException {
    Optional<OutboxEvent> found = event(traces);
    if (found.isEmpty()) {
      return new EventClaim.Unknown();
    }
    if (!isLaneFree(Lane.of(found.get().aggregate()))) {
      return new EventClaim.Busy();
    }
    isParked = lockHold();
    // Another publisher may have finished with it, or an operator skipped it, before the locks.
    return event(traces)
        .<EventClaim>map(EventClaim.Claimed::new)
        .orElseGet(EventClaim.Unknown::new);
  }

  private Optional<OutboxEvent> event(Map<MessageId, TraceContext> traces) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(EVENT)) {
      database.setId(statement, 1, id.value());
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        @Nullable TraceContext trace = EventRow.trace(row);
        if (trace != null) {
          traces.put(id, trace);
        }
        return Optional.of(EventRow.read(database, row));
      }
    }
  }

  private boolean isLaneFree(int lane) throws SQLException {
    if (!database.hasRowLocks()) {
      return true;
    }
    database.beginClaim(connection);
    database.boundLocks(connection);
    try (PreparedStatement statement = connection.prepareStatement(LANE)) {
      statement.setInt(1, lane);
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }

  /** Whether what was read is parked. */
  boolean isParked() {
    return isParked;
  }

  private boolean lockHold() throws SQLException {
    String sql = database.hasRowLocks() ? HOLD + " FOR UPDATE" : HOLD;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      database.setId(statement, 1, id.value());
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }
}
