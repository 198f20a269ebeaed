package org.svcmailbox.outbox.jdbc;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.inbox.InboxStore;
import org.svcmailbox.outbox.inbox.InboxTransaction;

/** The inbox of a database. Each transaction has its own connection. */
public final class JdbcInboxStore implements InboxStore {
  private final DataSource source;
  private final MailboxClock clock;
  private final Map<String, InboxPlace> places = new ConcurrentHashMap<>();

  /**
   * A store that has made no connection yet.
   *
   * @param source gives connections that belong to no transaction of a container
   */
  public JdbcInboxStore(DataSource source) {
    this(source, MailboxClock.system());
  }

  JdbcInboxStore(DataSource source, MailboxClock clock) {
    this.source = requireNonNull(source, "source");
    this.clock = clock;
  }

  @Override
  public InboxTransaction begin(String consumer) {
    InboxPlace place = places.computeIfAbsent(consumer, this::place);
    return Transactions.open(
        source,
        (connection, database) -> {
          connection.setAutoCommit(false);
          return new JdbcInboxTransaction(connection, database, place, clock);
        },
        "the inbox cannot be opened");
  }

  private InboxPlace place(String consumer) {
    return Transactions.in(
        source,
        (connection, database) -> InboxPlace.of(connection, database, consumer),
        "the inbox cannot be opened");
  }
}
