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
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.OutboxException;

/**
 * Deletes old, finished rows. The host calls it regularly, each time until it returns less than
 * {@link #MAX_ROWS}. Several may run at once. Unpublished events stay, whatever their age, unless
 * an operator skipped them.
 */
public final class JdbcPurge {
  /** The most events or messages that one call deletes. */
  public static final int MAX_ROWS = 1_000;

  private static final String UNSHARE = "DELETE FROM inbox_shared WHERE message_id = ? AND ? = ''";

  private record Key(UUID id, @Nullable String owner) {}

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
        MAX_ROWS,
        "SELECT id FROM outbox_events WHERE published_at < ? ORDER BY published_at",
        "DELETE FROM outbox_headers WHERE event_id = ?",
        "DELETE FROM outbox_events WHERE id = ?");
  }

  /**
   * Deletes processed messages of all consumers. If a copy of a deleted message arrives later, it
   * is handled again.
   *
   * @param age how long ago they were processed; at least as long as the topic keeps messages and
   *     dead letters, such as 30 d
   * @return how many were deleted
   */
  public int inbox(Duration age) {
    int deleted =
        purge(
            age,
            MAX_ROWS,
            "SELECT message_id, '' FROM inbox_messages WHERE processed_at < ?"
                + " ORDER BY processed_at",
            UNSHARE,
            JdbcDeadLetters.DELETE,
            MessageTable.OF_FIRST.delete());
    return deleted == MAX_ROWS
        ? deleted
        : deleted
            + purge(
                age,
                MAX_ROWS - deleted,
                "SELECT message_id, consumer FROM inbox_consumers WHERE processed_at < ?"
                    + " ORDER BY processed_at",
                JdbcDeadLetters.DELETE,
                MessageTable.OF_OTHERS.delete());
  }

  /**
   * Deletes messages that died and were not sent again, of all consumers.
   *
   * @param age how long ago they died; as for {@link #inbox}
   * @return how many were deleted
   */
  public int deadLetters(Duration age) {
    return purge(
        age,
        MAX_ROWS,
        "SELECT message_id, consumer FROM inbox_dead_letters WHERE dead_at < ? ORDER BY dead_at",
        UNSHARE,
        MessageTable.OF_FIRST.delete(),
        MessageTable.OF_OTHERS.delete(),
        JdbcDeadLetters.DELETE);
  }

  /**
   * Deletes operators' changes from {@code outbox_audit}, and the skipped events.
   *
   * @param age how long ago they were; 365 d is usual
   * @return how many were deleted
   */
  public int audit(Duration age) {
    return purge(
        age,
        MAX_ROWS,
        "SELECT id FROM outbox_audit WHERE at < ? ORDER BY at",
        "DELETE FROM outbox_audit WHERE id = ?");
  }

  /**
   * Purges rows.
   *
   * @param select the id of each row and, for rows of the inbox, its owner: the parameters of each
   *     deletion
   */
  private int purge(Duration age, int most, String select, String... deletes) {
    if (age.isNegative()) {
      throw new OutboxException(ErrorCode.INVALID_CONFIG, "an age is not negative: " + age);
    }
    return Transactions.in(
        source,
        (connection, database) ->
            purge(connection, database, age, select + " LIMIT " + most, deletes),
        "nothing can be purged");
  }

  private int purge(
      Connection connection, Database database, Duration age, String select, String... deletes)
      throws SQLException {
    List<Key> keys = new ArrayList<>();
    String locking = database.hasRowLocks() ? " FOR UPDATE SKIP LOCKED" : "";
    try (PreparedStatement statement = connection.prepareStatement(select + locking)) {
      database.setTime(statement, 1, clock.instant().minus(age));
      try (ResultSet rows = statement.executeQuery()) {
        boolean hasOwner = rows.getMetaData().getColumnCount() > 1;
        while (rows.next()) {
          UUID id = UUID.fromString(rows.getString(1));
          keys.add(new Key(id, hasOwner ? rows.getString(2) : null));
        }
      }
    }
    for (String delete : deletes) {
      delete(connection, database, delete, keys);
    }
    return keys.size();
  }

  private static void delete(Connection connection, Database database, String sql, List<Key> keys)
      throws SQLException {
    if (keys.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (Key key : keys) {
        if (key.owner() == null) {
          database.setId(statement, 1, key.id());
        } else {
          database.setKey(statement, 1, key.id(), key.owner());
        }
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }
}
