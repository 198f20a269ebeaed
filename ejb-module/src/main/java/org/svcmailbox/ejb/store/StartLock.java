package org.svcmailbox.ejb.store;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * Lets one node of a cluster at a time do what a start does once. It brings the tables up to date,
 * makes database and broker a pair, and makes the logs.
 */
final class StartLock {
  private static final Logger LOG = System.getLogger(StartLock.class.getName());

  /** The number behind that of {@link PostgresLock}. */
  private static final int KEY = 702_219_046;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_AGAIN = Duration.ofMillis(200).toNanos();

  private final Connection session;

  private StartLock(Connection session) {
    this.session = session;
  }

  /** Work of a start that happens once. */
  interface Work<X extends Exception> {
    void run() throws X;
  }

  /**
   * Waits for another node's start, then runs {@code work} while no other node starts.
   *
   * @throws UnavailableException if the wait takes longer than a minute, or the database fails
   */
  static <X extends Exception> void hold(DataSource source, Work<X> work) throws X {
    hold(source, PATIENCE, work);
  }

  static <X extends Exception> void hold(DataSource source, Duration patience, Work<X> work)
      throws X {
    StartLock lock = acquire(source, patience);
    try {
      work.run();
    } finally {
      lock.release();
    }
  }

  private static StartLock acquire(DataSource source, Duration patience) {
    try {
      Connection session = source.getConnection();
      StartLock lock = new StartLock(session);
      boolean isTaken = false;
      try {
        isTaken = lock.take(patience);
      } finally {
        if (!isTaken) {
          session.close();
        }
      }
      if (isTaken) {
        return lock;
      }
    } catch (SQLException e) {
      throw new UnavailableException("The database failed", e);
    }
    throw new UnavailableException("the start of another node does not end");
  }

  private boolean take(Duration patience) throws SQLException {
    long until = System.nanoTime() + patience.toNanos();
    while (!ask("select pg_try_advisory_lock(" + KEY + ")")) {
      if (System.nanoTime() - until >= 0) {
        return false;
      }
      LockSupport.parkNanos(LOOK_AGAIN);
    }
    return true;
  }

  private boolean ask(String question) throws SQLException {
    try (Statement statement = session.createStatement();
        ResultSet answer = statement.executeQuery(question)) {
      return answer.next() && answer.getBoolean(1);
    }
  }

  /** Never throws: the lock ends with its session. */
  private void release() {
    try (session) {
      // The pool may keep the connection, and the lock with it.
      boolean unused = ask("select pg_advisory_unlock(" + KEY + ")");
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "The session of the start's lock is gone", e);
    }
  }
}
