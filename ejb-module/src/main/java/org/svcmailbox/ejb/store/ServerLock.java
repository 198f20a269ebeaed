package org.svcmailbox.ejb.store;

import java.sql.SQLException;
import org.svcmailbox.core.problem.UnavailableException;

/** Keeps a second server off the database. Any thread. */
interface ServerLock extends AutoCloseable {
  /**
   * For an embedded database: the broker locks its data directory, and the id of the pair refuses
   * any other server.
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
        public long retaken() {
          return 0;
        }

        @Override
        public void close() {}
      };

  /** Records this process as the writer, once the tables exist. */
  void claim() throws SQLException;

  /** Whether nothing since the last check can have cost the lock. */
  boolean isCertain();

  /** Records a lost connection, which may have cost the lock. */
  void doubt();

  /**
   * Checks the lock, and takes it again if no other server had it.
   *
   * @throws SQLException when the database does not answer
   * @throws UnavailableException when another server has or had the lock
   */
  void verify() throws SQLException;

  /**
   * How often the lock was lost and taken again. Each time the database may have been replaced by
   * one that lacks recent changes.
   */
  long retaken();

  /** Releases the lock; never throws. */
  @Override
  void close();
}
