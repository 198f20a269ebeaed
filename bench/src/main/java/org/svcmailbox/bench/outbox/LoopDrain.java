package org.svcmailbox.bench.outbox;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A hand-written loop on the same table: it locks rows while it publishes them and marks them with
 * one statement. It knows no order, failures or routes.
 */
final class LoopDrain implements OutboxDrain {
  private static final int BATCH = 1_000;

  private static final String SELECT =
      "SELECT id, aggregate_type, aggregate_id, event_type, event_version, payload, occurred_at,"
          + " correlation_id, causation_id FROM outbox_events WHERE published_at IS NULL"
          + " ORDER BY occurred_at LIMIT "
          + BATCH
          + " FOR UPDATE SKIP LOCKED";

  private static final String MARK =
      "UPDATE outbox_events SET published_at = now(), publish_attempts = publish_attempts + 1"
          + " WHERE id = ANY (?)";

  /** The columns that a publisher needs. */
  private record Row(
      UUID id,
      String aggregateType,
      String aggregateId,
      String eventType,
      int eventVersion,
      String payload,
      OffsetDateTime occurredAt) {}

  private final OutboxDatabase database;

  LoopDrain(OutboxDatabase database) {
    this.database = database;
  }

  @Override
  public void fill(int events) throws Exception {
    database.fill(events);
  }

  @Override
  public double drain(int events) throws Exception {
    long start = System.nanoTime();
    try (Connection connection = database.source().getConnection()) {
      connection.setAutoCommit(false);
      int left = events;
      while (left > 0) {
        List<Row> rows = lock(connection);
        mark(connection, rows);
        connection.commit();
        left -= rows.size();
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    database.requirePublished();
    return events / seconds;
  }

  private static List<Row> lock(Connection connection) throws SQLException {
    List<Row> rows = new ArrayList<>(BATCH);
    try (PreparedStatement select = connection.prepareStatement(SELECT);
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        rows.add(
            new Row(
                row.getObject(1, UUID.class),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getInt(5),
                row.getString(6),
                row.getObject(7, OffsetDateTime.class)));
      }
    }
    return rows;
  }

  private static void mark(Connection connection, List<Row> rows) throws SQLException {
    try (PreparedStatement mark = connection.prepareStatement(MARK)) {
      Array ids = connection.createArrayOf("uuid", rows.stream().map(Row::id).toArray());
      mark.setArray(1, ids);
      mark.executeUpdate();
    }
  }
}
