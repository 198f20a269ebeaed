package org.svcmailbox.outbox.jdbc;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.inbox.LocalGuard;
import org.svcmailbox.outbox.inbox.MessageGuard;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/**
 * Guards messages across all processes of a consumer on a PostgreSQL database, by advisory locks of
 * one session. The locks end with its connection; until the next lock, two copies of a message may
 * be handled at the same time.
 */
public final class PostgresGuard implements MessageGuard, AutoCloseable {
  private static final Logger LOG = System.getLogger(PostgresGuard.class.getName());

  /** Of the hash FNV-1, with 64 bits. */
  private static final long HASH_FACTOR = 0x100000001b3L;

  private static final String ACQUIRE = "SELECT pg_try_advisory_lock(?)";
  private static final String RELEASE = "SELECT pg_advisory_unlock(?)";
  private static final String RELEASE_ALL = "SELECT pg_advisory_unlock_all()";

  private final DataSource source;
  private final LocalGuard local = new LocalGuard();
  private @Nullable Connection session;

  /**
   * A guard without a session; the first message opens it.
   *
   * @param source gives a connection that stays the same session: a pool of sessions, not of
   *     transactions
   */
  public PostgresGuard(DataSource source) {
    this.source = requireNonNull(source, "source");
  }

  @Override
  public boolean acquire(String consumer, MessageId id) {
    // A session can take its own lock twice.
    if (!local.acquire(consumer, id)) {
      return false;
    }
    try {
      boolean acquired = call(ACQUIRE, key(consumer, id));
      if (!acquired) {
        local.release(consumer, id);
      }
      return acquired;
    } catch (OutboxStoreException e) {
      local.release(consumer, id);
      throw e;
    }
  }

  @Override
  public void release(String consumer, MessageId id) {
    try {
      if (!call(RELEASE, key(consumer, id))) {
        LOG.log(Level.DEBUG, "The session that guarded {0} is lost", id);
      }
    } catch (OutboxStoreException e) {
      LOG.log(Level.DEBUG, "The session that guarded " + id + " is lost", e);
    } finally {
      local.release(consumer, id);
    }
  }

  private synchronized boolean call(String sql, long key) {
    try {
      if (session == null) {
        session = source.getConnection();
      }
      try (PreparedStatement statement = session.prepareStatement(sql)) {
        statement.setLong(1, key);
        try (ResultSet row = statement.executeQuery()) {
          return row.next() && row.getBoolean(1);
        }
      }
    } catch (SQLException e) {
      close();
      throw new OutboxStoreException("messages cannot be guarded", e);
    }
  }

  /** Two messages with one key wait for each other, which costs them time and nothing else. */
  private static long key(String consumer, MessageId id) {
    long name = consumer.chars().asLongStream().reduce(0, (hash, c) -> hash * HASH_FACTOR + c);
    return name ^ id.value().getMostSignificantBits() ^ id.value().getLeastSignificantBits();
  }

  /** Frees all locks and gives the session back. The next message opens another. */
  @Override
  public synchronized void close() {
    if (session == null) {
      return;
    }
    // A pool keeps the session, and with it the locks.
    try (Connection last = session;
        Statement statement = last.createStatement()) {
      statement.execute(RELEASE_ALL);
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "The session was lost before", e);
    }
    session = null;
  }
}
