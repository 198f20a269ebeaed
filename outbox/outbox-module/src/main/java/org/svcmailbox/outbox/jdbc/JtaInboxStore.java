package org.svcmailbox.outbox.jdbc;

import static java.util.Objects.requireNonNull;

import jakarta.transaction.NotSupportedException;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.inbox.InboxStore;
import org.svcmailbox.outbox.inbox.InboxTransaction;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/**
 * The inbox of a database, in JTA transactions. They belong to the thread, so a handler's work with
 * an entity manager or another JTA resource commits together with the inbox. Thread-safe if the
 * transactions are, as on a server.
 */
public final class JtaInboxStore implements InboxStore {
  private final DataSource source;
  private final UserTransaction transactions;
  private final MailboxClock clock;
  private final Map<String, InboxPlace> places = new ConcurrentHashMap<>();

  /**
   * A store that has made no connection yet.
   *
   * @param source a JTA data source of the server
   * @param transactions those of the calling thread, which has none when {@link #begin} is called
   */
  public JtaInboxStore(DataSource source, UserTransaction transactions) {
    this(source, transactions, MailboxClock.system());
  }

  JtaInboxStore(DataSource source, UserTransaction transactions, MailboxClock clock) {
    this.source = requireNonNull(source, "source");
    this.transactions = requireNonNull(transactions, "transactions");
    this.clock = clock;
  }

  @Override
  public InboxTransaction begin(String consumer) {
    return begin(places.computeIfAbsent(consumer, this::place));
  }

  private InboxPlace place(String consumer) {
    try (InboxTransaction transaction = begin(new InboxPlace(consumer, false, false))) {
      Connection connection = transaction.unwrap(Connection.class);
      InboxPlace place = InboxPlace.of(connection, Database.of(connection), consumer);
      transaction.commit();
      return place;
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private InboxTransaction begin(InboxPlace place) {
    try {
      transactions.begin();
    } catch (NotSupportedException | SystemException e) {
      throw failed(e);
    }
    try {
      return open(place);
    } catch (SQLException | RuntimeException e) {
      JtaInboxTransaction.rollback(transactions);
      throw failed(e);
    }
  }

  private InboxTransaction open(InboxPlace place) throws SQLException {
    Connection connection = source.getConnection();
    try {
      return new JtaInboxTransaction(
          transactions,
          connection,
          new JdbcInboxTransaction(connection, Database.of(connection), place, clock));
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private static OutboxStoreException failed(Exception e) {
    return new OutboxStoreException("the inbox cannot be opened", e);
  }
}
