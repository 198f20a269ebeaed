package org.svcmailbox.outbox.jdbc;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.publish.OutboxHistory;
import org.svcmailbox.outbox.publish.Position;

/** Reads the published events of a database page by page, each in a separate transaction. */
final class JdbcOutboxHistory implements OutboxHistory {
  /** Ordered by the time of publishing, which has an index. Events of one commit share theirs. */
  private static final String PAGE =
      "SELECT "
          + EventRow.COLUMNS
          + ", h.traceparent, h.tracestate FROM outbox_events e"
          + " LEFT JOIN outbox_headers h ON h.event_id = e.id"
          + " WHERE e.published_at IS NOT NULL AND e.published_at <= ?"
          + " AND (e.published_at, "
          + EventRow.ORDER
          + ") > (?, ?, ?, ?) ORDER BY e.published_at, "
          + EventRow.ORDER
          + " LIMIT "
          + Claim.MAX_EVENTS;

  private final DataSource source;
  private final Instant until;
  private Instant publishedAt;
  private Position position = Position.HEAD;

  /**
   * @param since events published before are left out
   * @param until and those published after
   */
  JdbcOutboxHistory(DataSource source, Instant since, Instant until) {
    this.source = source;
    this.until = until;
    publishedAt = since;
  }

  @Override
  public List<Past> next() {
    List<Past> page = Transactions.in(source, this::read, "the outbox cannot be read");
    if (!page.isEmpty()) {
      OutboxEvent last = page.get(page.size() - 1).event();
      publishedAt = requireNonNull(last.publishedAt(), "published");
    }
    return page;
  }

  private List<Past> read(Connection connection, Database database) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(PAGE)) {
      statement.setFetchSize(Claim.FETCH_SIZE);
      database.setTime(statement, 1, until);
      database.setTime(statement, 2, publishedAt);
      EventRow.setPosition(database, statement, 3, position);
      try (ResultSet rows = statement.executeQuery()) {
        return read(database, rows);
      }
    }
  }

  private List<Past> read(Database database, ResultSet rows) throws SQLException {
    List<Past> page = new ArrayList<>();
    long characters = 0;
    while (characters < Claim.MAX_CHARACTERS && rows.next()) {
      OutboxEvent event = EventRow.read(database, rows);
      characters += event.payload().json().length();
      position = EventRow.position(database, rows);
      page.add(new Past(event, EventRow.trace(rows)));
    }
    return page;
  }
}
