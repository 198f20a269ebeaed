package org.svcmailbox.outbox.jdbc;

import static java.util.stream.Collectors.joining;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.event.Reason;

/** Gathers the changes of a publisher's transaction and writes them in batches. */
final class Changes {
  private static final String MARK =
      "UPDATE outbox_events SET published_at = ?, publish_attempts = publish_attempts + 1"
          + " WHERE %s AND published_at IS NULL";

  private final Connection connection;
  private final Database database;
  private final MailboxClock clock;
  private final List<MessageId> published = new ArrayList<>();
  private final List<Failed> failed = new ArrayList<>();
  private final List<Accepted> accepted = new ArrayList<>();
  private final List<MessageId> forgotten = new ArrayList<>();
  private final List<MessageId> unparked = new ArrayList<>();
  private final List<Parked> parked = new ArrayList<>();

  private record Failed(MessageId id, String error) {}

  private record Accepted(MessageId id, String topic) {}

  private record Parked(OutboxEvent event, ErrorCode code, String error, boolean holdsAggregate) {}

  /** Sets the parameters of a statement for one element. */
  private interface Binder<T> {
    void bind(PreparedStatement statement, T element) throws SQLException;
  }

  Changes(Connection connection, Database database, MailboxClock clock) {
    this.connection = connection;
    this.database = database;
    this.clock = clock;
  }

  void published(MessageId id) {
    published.add(id);
  }

  void failed(MessageId id, String error) {
    failed.add(new Failed(id, error));
  }

  void accepted(MessageId id, String topic) {
    accepted.add(new Accepted(id, topic));
  }

  /** The event is published: which topics accepted it no longer matters. */
  void forget(MessageId id) {
    forgotten.add(id);
  }

  void unparked(MessageId id) {
    unparked.add(id);
  }

  /** An event that is parked already is parked for the new reason. */
  void parked(OutboxEvent event, ErrorCode code, String error, boolean holdsAggregate) {
    unparked.add(event.messageId());
    parked.add(new Parked(event, code, error, holdsAggregate));
  }

  void write() throws SQLException {
    Instant now = clock.now();
    writePublished(now);
    batch(
        "UPDATE outbox_events SET publish_attempts = publish_attempts + 1, publish_error = ?"
            + " WHERE id = ?",
        failed,
        (statement, one) -> {
          statement.setString(1, Reason.of(one.error()));
          database.setId(statement, 2, one.id().value());
        });
    batch(
        "INSERT INTO outbox_accepted (event_id, topic) VALUES (?, ?)",
        accepted,
        (statement, one) -> {
          database.setId(statement, 1, one.id().value());
          statement.setString(2, one.topic());
        });
    batch(
        "DELETE FROM outbox_accepted WHERE event_id = ?",
        forgotten,
        (statement, id) -> database.setId(statement, 1, id.value()));
    writeParked(now);
  }

  /** One statement where the database has arrays: these are most of all changes. */
  private void writePublished(Instant now) throws SQLException {
    if (database.hasArrays()) {
      writeAllPublished(now);
      return;
    }
    batch(
        MARK.formatted("id = ?"),
        published,
        (statement, id) -> {
          database.setTime(statement, 1, now);
          database.setId(statement, 2, id.value());
        });
  }

  private void writeAllPublished(Instant now) throws SQLException {
    if (published.isEmpty()) {
      return;
    }
    // As text: the driver would look at each character of an array for some to escape.
    String ids = published.stream().map(MessageId::toString).collect(joining(",", "{", "}"));
    try (PreparedStatement statement =
        connection.prepareStatement(MARK.formatted("id = ANY (CAST(? AS uuid[]))"))) {
      database.setTime(statement, 1, now);
      statement.setString(2, ids);
      statement.executeUpdate();
    }
  }

  private void writeParked(Instant now) throws SQLException {
    batch(
        "DELETE FROM outbox_holds WHERE event_id = ?",
        unparked,
        (statement, id) -> database.setId(statement, 1, id.value()));
    batch(
        "INSERT INTO outbox_holds (event_id, aggregate_type, aggregate_id, code, error, parked_at,"
            + " holds_aggregate) VALUES (?, ?, ?, ?, ?, ?, ?)",
        parked,
        (statement, one) -> {
          database.setId(statement, 1, one.event().id());
          statement.setString(2, one.event().aggregateType());
          statement.setString(3, one.event().aggregateId());
          statement.setString(4, one.code().name());
          statement.setString(5, Reason.of(one.error()));
          database.setTime(statement, 6, now);
          statement.setBoolean(7, one.holdsAggregate());
        });
  }

  private <T> void batch(String sql, List<T> elements, Binder<T> binder) throws SQLException {
    if (elements.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (T element : elements) {
        binder.bind(statement, element);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }
}
