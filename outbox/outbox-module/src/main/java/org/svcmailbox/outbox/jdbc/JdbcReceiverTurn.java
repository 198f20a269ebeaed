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
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.inbox.ReceiverTurn;
import org.svcmailbox.outbox.publish.OutboxStoreException;
import org.svcmailbox.outbox.publish.PublisherBusyException;

/**
 * The turn of a consumer among all processes that use its database. On PostgreSQL it is an advisory
 * lock, which occupies one connection and ends with it; on SQLite it is a lock on a file. H2 has
 * neither.
 */
public final class JdbcReceiverTurn implements ReceiverTurn, AutoCloseable {
  private static final Logger LOG = System.getLogger(JdbcReceiverTurn.class.getName());

  /** Keeps these locks apart from others of the database. */
  private static final int SPACE = 0x6d61696c;

  private static final String TAKE = "SELECT pg_try_advisory_lock(?, ?)";

  private final DataSource source;
  private final String consumer;
  private final FileLock file;
  private @Nullable Connection session;

  /**
   * A turn that is not taken yet.
   *
   * @param source gives a connection that stays the same session
   * @param consumer as in the settings of the inbox
   */
  public JdbcReceiverTurn(DataSource source, String consumer) {
    this.source = requireNonNull(source, "source");
    this.consumer = requireNonNull(consumer, "consumer");
    file = new FileLock("-consumer-" + consumer);
  }

  /**
   * Looks each time whether the session lives, for its end frees the turn.
   *
   * @throws OutboxStoreException if the database is away
   * @throws OutboxException with {@link ErrorCode#INVALID_CONFIG} on H2
   */
  @Override
  public synchronized boolean take() {
    try {
      if (session == null) {
        session = source.getConnection();
      }
      boolean isTaken = take(session);
      if (!isTaken || Database.of(session) == Database.SQLITE) {
        release();
      }
      return isTaken;
    } catch (SQLException e) {
      release();
      throw new OutboxStoreException("the turn of consumer " + consumer + " cannot be taken", e);
    } catch (OutboxException e) {
      release();
      throw e;
    }
  }

  private boolean take(Connection connection) throws SQLException {
    return switch (Database.of(connection)) {
      case POSTGRESQL -> lock(connection);
      case SQLITE -> lockFile(connection);
      case H2 ->
          throw new OutboxException(
              ErrorCode.INVALID_CONFIG, "H2 lets no consumer be the only one to receive");
    };
  }

  private boolean lock(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TAKE)) {
      statement.setInt(1, SPACE);
      statement.setInt(2, consumer.hashCode());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  private boolean lockFile(Connection connection) throws SQLException {
    try {
      file.take(connection);
      return true;
    } catch (PublisherBusyException e) {
      return false;
    }
  }

  private void release() {
    Connection last = session;
    session = null;
    if (last == null) {
      return;
    }
    // A pool keeps the session, and with it the lock.
    try (last;
        Statement statement = last.createStatement()) {
      if (Database.of(last) == Database.POSTGRESQL) {
        statement.execute("SELECT pg_advisory_unlock_all()");
      }
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "The session was lost before", e);
    }
  }

  /** Gives the turn to another one. */
  @Override
  public synchronized void close() {
    release();
    file.close();
  }
}
