package org.svcmailbox.outbox.jdbc;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.publish.OutboxStore;
import org.svcmailbox.outbox.publish.OutboxTransaction;
import org.svcmailbox.outbox.publish.Passes;

/**
 * The outbox of a database, for publishers.
 *
 * <p>On PostgreSQL and H2, row locks keep publishers apart, and a publisher that dies frees its
 * claims with its connection. One that waits for its topics claims half of all aggregates, so that
 * two share the work. On SQLite a lock file lets one publisher work; events are sent outside the
 * database's transaction there, so that the application can write meanwhile.
 */
public final class JdbcOutboxStore implements OutboxStore, AutoCloseable {
  private final DataSource source;
  private final MailboxClock clock;
  private final AtomicInteger claims = new AtomicInteger();
  private final FileLock publisherLock = new FileLock("-publisher");
  private final LaneShare share = new LaneShare();

  /**
   * A store that has made no connection yet.
   *
   * @param source gives connections that belong to no transaction of a container
   */
  public JdbcOutboxStore(DataSource source) {
    this(source, MailboxClock.system());
  }

  JdbcOutboxStore(DataSource source, MailboxClock clock) {
    this.source = requireNonNull(source, "source");
    this.clock = clock;
  }

  @Override
  public OutboxTransaction begin(Passes passes) {
    return Transactions.open(
        source,
        (connection, database) -> begin(connection, database, passes),
        "the outbox cannot be opened");
  }

  private OutboxTransaction begin(Connection connection, Database database, Passes passes)
      throws SQLException {
    if (!database.hasRowLocks()) {
      publisherLock.take(connection);
    }
    connection.setAutoCommit(true);
    Claim claim =
        new Claim(
            connection, database, passes, claims.getAndIncrement(), share.lanes(), share.wasIdle());
    return new JdbcTransaction(connection, database, claim, share, clock);
  }

  /** Lets another publisher work on SQLite. */
  @Override
  public void close() {
    publisherLock.close();
  }
}
