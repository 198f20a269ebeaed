package org.svcmailbox.outbox.jdbc;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.svcmailbox.outbox.admin.InboxAdmin;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.inbox.DeadLetter;
import org.svcmailbox.outbox.inbox.InboxMessage;

/** Lists the messages in the inbox of a database. Thread-safe. */
public final class JdbcInboxAdmin implements InboxAdmin {
  private static final String SELECT =
      "SELECT m.consumer, "
          + MessageRow.COLUMNS
          + ", "
          + JdbcDeadLetters.COLUMNS
          + " FROM inbox_all m LEFT JOIN inbox_dead_letters d"
          + " ON d.message_id = m.message_id AND d.consumer = m.owner WHERE ";

  private static final String LIST =
      SELECT
          + "m.received_at <= ? AND "
          + TextFilter.condition("m.last_error")
          + " AND (? = '' OR m.consumer = ?) AND %s ORDER BY m.received_at, m.message_id LIMIT "
          + MAX_MESSAGES;

  private static final String FIND = SELECT + "m.message_id = ? ORDER BY m.consumer";

  private final DataSource source;
  private final InstantSource clock;

  /**
   * An administration that has made no connection yet.
   *
   * @param source gives connections that belong to no transaction of a container
   */
  public JdbcInboxAdmin(DataSource source) {
    this(source, InstantSource.system());
  }

  JdbcInboxAdmin(DataSource source, InstantSource clock) {
    this.source = requireNonNull(source, "source");
    this.clock = clock;
  }

  @Override
  public List<Listed> list(Filter filter) {
    return Transactions.in(
        source,
        (connection, database) -> list(connection, database, filter),
        "the inbox cannot be listed");
  }

  private List<Listed> list(Connection connection, Database database, Filter filter)
      throws SQLException {
    String consumer = filter.consumer().orElse("");
    return select(
        connection,
        database,
        LIST.formatted(condition(filter.state())),
        statement -> {
          database.setTime(statement, 1, clock.instant().minus(filter.olderThan()));
          statement.setString(2, TextFilter.parameter(filter.error()));
          statement.setString(3, consumer);
          statement.setString(4, consumer);
        });
  }

  @Override
  public List<Listed> find(MessageId id) {
    return Transactions.in(
        source,
        (connection, database) ->
            select(
                connection, database, FIND, statement -> database.setId(statement, 1, id.value())),
        "the inbox cannot be listed");
  }

  private static List<Listed> select(
      Connection connection, Database database, String sql, Transactions.Binder binder)
      throws SQLException {
    List<Listed> listed = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      binder.bind(statement);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          listed.add(read(database, rows));
        }
      }
    }
    return listed;
  }

  private static String condition(State state) {
    return switch (state) {
      case UNPROCESSED -> "m.processed_at IS NULL";
      case DEAD -> "m.processed_at IS NULL AND d.message_id IS NOT NULL";
      case ANY -> "1 = 1";
    };
  }

  private static Listed read(Database database, ResultSet row) throws SQLException {
    InboxMessage message = MessageRow.read(database, row);
    MessageId id = new MessageId(message.messageId());
    Optional<DeadLetter> letter =
        row.getString("msg_id") == null
            ? Optional.empty()
            : Optional.of(JdbcDeadLetters.read(database, id, row));
    return new Listed(Optional.ofNullable(row.getString("consumer")), message, letter);
  }
}
