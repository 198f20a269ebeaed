package org.svcmailbox.outbox.jdbc;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.OutboxException;

/**
 * Deletes what is done and old. The host calls it now and then, until it returns less than {@link
 * #MAX_ROWS}. Several may run at once. Events that are not published stay, whatever their age.
 */
public final class JdbcPurge {
  /** The most events or messages that one call deletes. */
  public static final int MAX_ROWS = 1_000;

  private final DataSource source;
  private final InstantSource clock;

  /**
   * A purge.
   *
   * @param source gives connections that belong to no transaction of a container
   */
  public JdbcPurge(DataSource source) {
    this(source, InstantSource.system());
  }

  JdbcPurge(DataSource source, InstantSource clock) {
    this.source = requireNonNull(source, "source");
    this.clock = clock;
  }

  /**
   * Deletes published events.
   *
   * @param age how long ago they were published; 7 d is usual
   * @return how many were deleted
   */
  public int outbox(Duration age) {
    return purge(
        age,
        "SELECT id FROM outbox_events WHERE published_at < ? ORDER BY published_at",
        "DELETE FROM outbox_headers WHERE event_id = ?",
        "DELETE FROM outbox_events WHERE id = ?");
  }

  /**
   * Deletes processed messages. A copy of one that comes later is handled again.
   *
   * @param age how long ago they were processed; at least as long as the topic keeps messages and
   *     dead letters, such as 30 d
   * @return how many were deleted
   */
  public int inbox(Duration age) {
    return purge(
        age,
        "SELECT message_id FROM inbox_messages WHERE processed_at < ? ORDER BY processed_at",
        "DELETE FROM inbox_dead_letters WHERE message_id = ?",
        "DELETE FROM inbox_messages WHERE message_id = ?");
  }

  /**
   * Deletes messages that died and were not sent again.
   *
   * @param age how long ago they died; as for {@link #inbox}
   * @return how many were deleted
   */
  public int deadLetters(Duration age) {
    return purge(
        age,
        "SELECT message_id FROM inbox_dead_letters WHERE dead_at < ? ORDER BY dead_at",
        "DELETE FROM inbox_messages WHERE message_id = ?",
        "DELETE FROM inbox_dead_letters WHERE message_id = ?");
  }

  private int purge(Duration age, String select, String... deletes) {
    if (age.isNegative()) {
      throw new OutboxException(ErrorCode.INVALID_CONFIG, "an age is not negative: " + age);
    }
    return Transactions.in(
        source,
        (connection, database) -> purge(connection, database, age, select, deletes),
        "nothing can be purged");
  }

  private int purge(
      Connection connection, Database database, Duration age, String select, String... deletes)
      throws SQLException {
    List<UUID> ids = new ArrayList<>();
    String locking = database.hasRowLocks() ? " FOR UPDATE SKIP LOCKED" : "";
    try (PreparedStatement statement =
        connection.prepareStatement(select + " LIMIT " + MAX_ROWS + locking)) {
      database.setTime(statement, 1, clock.instant().minus(age));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          ids.add(UUID.fromString(rows.getString(1)));
        }
      }
    }
    for (String delete : deletes) {
      delete(connection, database, delete, ids);
    }
    return ids.size();
  }

  private static void delete(Connection connection, Database database, String sql, List<UUID> ids)
      throws SQLException {
    if (ids.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (UUID id : ids) {
        database.setId(statement, 1, id);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }
}
