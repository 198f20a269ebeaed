package org.svcmailbox.outbox.jdbc;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.admin.OutboxAdmin;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.publish.OutboxHistory;

/** Operators' changes to the outbox of a database. Thread-safe. */
public final class JdbcOutboxAdmin implements OutboxAdmin {
  private static final String PARKED =
      "SELECT "
          + EventRow.COLUMNS
          + ", p.code, p.error FROM outbox_holds p JOIN outbox_events e ON e.id = p.event_id"
          + " WHERE p.parked_at <= ? AND (p.code = ? OR ? = '') AND "
          + TextFilter.condition("p.error")
          + " ORDER BY p.parked_at, p.event_id LIMIT "
          + MAX_EVENTS;

  private static final String UNPUBLISHED =
      "SELECT "
          + EventRow.COLUMNS
          + ", p.code FROM outbox_events e LEFT JOIN outbox_holds p ON p.event_id = e.id"
          + " WHERE e.published_at IS NULL AND e.occurred_at <= ? AND (p.code = ? OR ? = '') AND "
          + TextFilter.condition("e.publish_error")
          + " ORDER BY "
          + EventRow.ORDER
          + " LIMIT "
          + MAX_EVENTS;

  private static final String EVENT =
      "SELECT " + EventRow.COLUMNS + " FROM outbox_events e WHERE e.id = ?";

  private static final String UNPARK = "DELETE FROM outbox_holds WHERE event_id = ?";

  private static final String REOPEN =
      "UPDATE outbox_events SET published_at = NULL WHERE id = ? AND published_at IS NOT NULL";

  private static final String AUDIT =
      "INSERT INTO outbox_audit (id, at, actor, action, event_id, note, event)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?)";

  /** Publishers mark events by clocks of their own. */
  private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

  private final DataSource source;
  private final InstantSource clock;

  /**
   * An administration that has made no connection yet.
   *
   * @param source gives connections that belong to no transaction of a container
   */
  public JdbcOutboxAdmin(DataSource source) {
    this(source, InstantSource.system());
  }

  JdbcOutboxAdmin(DataSource source, InstantSource clock) {
    this.source = requireNonNull(source, "source");
    this.clock = clock;
  }

  private <T> T transaction(Transactions.Work<T> work) {
    return Transactions.in(source, work, "the outbox cannot be administered");
  }

  /** Makes an element of a list from a row. */
  private interface Reader<T> {
    T read(Database database, ResultSet row) throws SQLException;
  }

  @Override
  public List<Parked> parked(Filter filter) {
    return transaction((connection, database) -> parked(connection, database, filter));
  }

  private List<Parked> parked(Connection connection, Database database, Filter filter)
      throws SQLException {
    return list(
        connection,
        database,
        PARKED,
        filter,
        (of, row) ->
            new Parked(
                EventRow.read(of, row),
                ErrorCode.valueOf(row.getString("code")),
                row.getString("error")));
  }

  @Override
  public List<Unpublished> unpublished(Filter filter) {
    return transaction(
        (connection, database) ->
            list(
                connection,
                database,
                UNPUBLISHED,
                filter,
                (of, row) ->
                    new Unpublished(
                        EventRow.read(of, row),
                        Optional.ofNullable(row.getString("code")).map(ErrorCode::valueOf))));
  }

  private <T> List<T> list(
      Connection connection, Database database, String sql, Filter filter, Reader<T> reader)
      throws SQLException {
    String code = filter.code().map(ErrorCode::name).orElse("");
    List<T> listed = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      database.setTime(statement, 1, clock.instant().minus(filter.olderThan()));
      statement.setString(2, code);
      statement.setString(3, code);
      statement.setString(4, TextFilter.parameter(filter.error()));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          listed.add(reader.read(database, rows));
        }
      }
    }
    return listed;
  }

  @Override
  public int retry(Filter filter, Operator operator) {
    return transaction(
        (connection, database) -> {
          int retried = 0;
          for (Parked parked : parked(connection, database, filter)) {
            retried += retry(connection, database, parked.event().id(), operator) ? 1 : 0;
          }
          return retried;
        });
  }

  @Override
  public boolean retry(MessageId id, Operator operator) {
    return transaction((connection, database) -> retry(connection, database, id.value(), operator));
  }

  private boolean retry(Connection connection, Database database, UUID id, Operator operator)
      throws SQLException {
    boolean wasParked = update(connection, database, UNPARK, id) == 1;
    if (wasParked) {
      audit(connection, database, "retry", id, operator, null);
    }
    return wasParked;
  }

  @Override
  public boolean skip(MessageId id, Operator operator) {
    return transaction(
        (connection, database) -> {
          Optional<OutboxEvent> event = event(connection, database, id);
          if (event.isEmpty() || update(connection, database, UNPARK, id.value()) == 0) {
            return false;
          }
          for (String table : List.of("outbox_headers", "outbox_accepted")) {
            update(
                connection, database, "DELETE FROM " + table + " WHERE event_id = ?", id.value());
          }
          update(connection, database, "DELETE FROM outbox_events WHERE id = ?", id.value());
          audit(connection, database, "skip", id.value(), operator, EventJson.of(event.get()));
          return true;
        });
  }

  @Override
  public boolean republish(MessageId id, Operator operator) {
    return transaction(
        (connection, database) -> {
          boolean wasPublished = update(connection, database, REOPEN, id.value()) == 1;
          if (wasPublished) {
            audit(connection, database, "republish", id.value(), operator, null);
          }
          return wasPublished;
        });
  }

  @Override
  public Optional<MessageId> republishAsNew(MessageId id, Operator operator) {
    return transaction(
        (connection, database) -> {
          Optional<OutboxEvent> event = event(connection, database, id);
          if (event.isEmpty()) {
            return Optional.empty();
          }
          MessageId copy = JdbcOutbox.of(connection, clock).record(copy(event.get()));
          audit(connection, database, "republish as " + copy, id.value(), operator, null);
          return Optional.of(copy);
        });
  }

  @Override
  public OutboxHistory replay(String topic, Instant since, Operator operator) {
    transaction(
        (connection, database) -> {
          audit(
              connection, database, "replay to " + topic + " since " + since, null, operator, null);
          return true;
        });
    return new JdbcOutboxHistory(source, since, clock.instant().plus(CLOCKS_DIFFER));
  }

  @Override
  public void note(String action, MessageId id, Operator operator) {
    transaction(
        (connection, database) -> {
          audit(connection, database, action, id.value(), operator, null);
          return true;
        });
  }

  private static NewEvent copy(OutboxEvent event) {
    return NewEvent.of(
            event.aggregateType(), event.aggregateId(), event.eventType(), event.payload().json())
        .withVersion(event.eventVersion())
        .withCorrelation(event.correlationId(), event.id());
  }

  private static Optional<OutboxEvent> event(Connection connection, Database database, MessageId id)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(EVENT)) {
      database.setId(statement, 1, id.value());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(EventRow.read(database, row)) : Optional.empty();
      }
    }
  }

  private static int update(Connection connection, Database database, String sql, UUID id)
      throws SQLException {
    return Transactions.update(connection, sql, statement -> database.setId(statement, 1, id));
  }

  private void audit(
      Connection connection,
      Database database,
      String action,
      @Nullable UUID id,
      Operator operator,
      @Nullable String event)
      throws SQLException {
    Instant now = clock.instant();
    Transactions.update(
        connection,
        AUDIT,
        statement -> {
          database.setId(statement, 1, MessageId.next().value());
          database.setTime(statement, 2, now);
          statement.setString(3, operator.name());
          statement.setString(4, action);
          database.setOptionalId(statement, 5, id);
          statement.setString(6, operator.note());
          statement.setString(7, event);
        });
  }
}
