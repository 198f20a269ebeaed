package org.svcmailbox.ejb.store;

import java.sql.SQLException;
import org.svcmailbox.core.problem.UnavailableException;

/** Keeps a second server away from a database for as long as the first one lives. Any thread. */
interface ServerLock extends AutoCloseable {
  /**
   * Of an embedded database: it is in the data directory, which the broker locks; anywhere else the
   * id of the pair refuses a second one.
   */
  ServerLock OF_THE_BROKER =
      new ServerLock() {
        @Override
        public void claim() {}

        @Override
        public boolean isCertain() {
          return true;
        }

        @Override
        public void doubt() {}

        @Override
        public void verify() {}

        @Override
        public void close() {}
      };

  /** Notes in the database, which has its tables, that this process may write from now on. */
  void claim() throws SQLException;

  /** Whether nothing has happened since the last look that can have cost the lock. */
  boolean isCertain();

  /** A connection to the database was lost, perhaps the lock's too. */
  void doubt();

  /**
   * Looks whether the lock is held, and takes it again if it was lost and nobody else had it.
   *
   * @throws SQLException when the database does not answer
   * @throws UnavailableException when another server has the lock, or had it meanwhile
   */
  void verify() throws SQLException;

  /** Gives the lock back; never throws. */
  @Override
  void close();
}
