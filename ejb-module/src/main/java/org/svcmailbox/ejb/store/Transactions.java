package org.svcmailbox.ejb.store;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * Runs work on the database. Each piece of work has an entity manager of its own, which ends with
 * it. Safe for many threads.
 */
public final class Transactions {
  private static final Logger LOG = System.getLogger(Transactions.class.getName());

  /** A piece of work. What it throws undoes it. */
  @FunctionalInterface
  public interface Work<T, X extends Exception> {
    T run(EntityManager em) throws X;
  }

  /**
   * A piece of work in SQL, on a connection whose transaction is not its business. What it throws
   * undoes it.
   */
  @FunctionalInterface
  public interface SqlWork {
    void run(Connection connection) throws SQLException;
  }

  /** A question in SQL; each statement sees what is committed. */
  @FunctionalInterface
  public interface SqlQuestion<T> {
    T ask(Connection connection) throws SQLException;
  }

  private static final int MAX_TRIES = 3;

  private final EntityManagerFactory entityManagers;
  private final TransactionBoundary boundary;
  private final DataSource source;
  private final Database database;
  private final WriteGate gate;
  private final ServerLock lock;
  private final DatabaseCircuitBreaker breaker = new DatabaseCircuitBreaker();

  /**
   * @param source where the entity managers have their connections from, too
   */
  Transactions(
      EntityManagerFactory entityManagers,
      TransactionBoundary boundary,
      DataSource source,
      Database database,
      WriteGate gate,
      ServerLock lock) {
    this.lock = lock;
    this.database = database;
    this.entityManagers = entityManagers;
    this.boundary = boundary;
    this.source = source;
    this.gate = gate;
  }

  /**
   * Does {@code work} in one transaction; on return it is on disk. When the database gives another
   * transaction the preference, it is done again, from the start.
   *
   * @throws UnavailableException when the database fails or keeps the caller waiting too long
   */
  public <T, X extends Exception> T write(Work<T, X> work) throws X {
    return repeated(() -> withEntityManager(em -> inTransaction(em, work)));
  }

  /**
   * As {@link #write}, for the one transaction that every SEND waits for: without an entity manager
   * and without the server's transaction manager, which together take longer than the database.
   *
   * @throws UnavailableException when the database fails or keeps the caller waiting too long
   */
  public void writeSql(SqlWork work) {
    repeated(
        () ->
            readSql(
                connection -> {
                  inTransaction(connection, work);
                  return true;
                }));
  }

  /**
   * Asks without a transaction and without an entity manager.
   *
   * @throws UnavailableException when the database fails
   */
  public <T> T readSql(SqlQuestion<T> question) {
    breaker.requireClosed();
    long begun = System.nanoTime();
    try (Connection connection = source.getConnection()) {
      return question.ask(connection);
    } catch (SQLException e) {
      judge(e, Duration.ofNanos(System.nanoTime() - begun));
      throw new UnavailableException("The database failed", e);
    }
  }

  /** What these are on, for what each database says in its own way. */
  public Database database() {
    return database;
  }

  private interface Attempt<T, X extends Exception> {
    T run() throws X;
  }

  private <T, X extends Exception> T repeated(Attempt<T, X> attempt) throws X {
    for (int tries = 1; ; tries++) {
      requireLock();
      gate.enter();
      try {
        return attempt.run();
      } catch (UnavailableException e) {
        if (tries == MAX_TRIES || !SqlStates.isRolledBack(e)) {
          throw e;
        }
      } finally {
        gate.leave();
      }
    }
  }

  /** Nothing is written by a server that may have lost the database to another. */
  private void requireLock() {
    if (!lock.isCertain()) {
      // First, for the probe may wait for the database with the lock's monitor in its hands.
      breaker.requireClosed();
      // One at a time, so that a silent database keeps one waiting, and not all after another.
      synchronized (lock) {
        breaker.requireClosed();
        if (!lock.isCertain()) {
          verifyLock();
        }
      }
    }
  }

  private void verifyLock() {
    long begun = System.nanoTime();
    try {
      lock.verify();
    } catch (SQLException e) {
      judge(e, Duration.ofNanos(System.nanoTime() - begun));
      throw new UnavailableException("The database failed", e);
    }
  }

  private static void inTransaction(Connection connection, SqlWork work) throws SQLException {
    connection.setAutoCommit(false);
    boolean isDone = false;
    try {
      work.run(connection);
      connection.commit();
      isDone = true;
    } finally {
      if (!isDone) {
        rollback(connection);
      }
    }
  }

  private static void rollback(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      // Closing the connection rolls back too; what counts is the first failure.
      LOG.log(Level.DEBUG, "The rollback failed", e);
    }
  }

  /**
   * Does {@code work} without a transaction: each query by itself sees what is committed.
   *
   * @throws UnavailableException when the database fails
   */
  public <T, X extends Exception> T read(Work<T, X> work) throws X {
    return withEntityManager(work);
  }

  /**
   * Asks the database whether it answers and is still this server's. While it is known not to,
   * everybody else is refused at once: that ends with this call, so somebody must make it now and
   * then.
   *
   * @throws UnavailableException when it does not
   */
  public void probe() {
    verifyLock();
    timed(em -> em.createNativeQuery("select 1").getSingleResult());
    breaker.close();
  }

  private <T, X extends Exception> T withEntityManager(Work<T, X> work) throws X {
    breaker.requireClosed();
    return timed(work);
  }

  private <T, X extends Exception> T timed(Work<T, X> work) throws X {
    long begun = System.nanoTime();
    try (EntityManager em = entityManagers.createEntityManager()) {
      return work.run(em);
    } catch (PersistenceException e) {
      judge(e, Duration.ofNanos(System.nanoTime() - begun));
      throw new UnavailableException("The database failed", e);
    }
  }

  private void judge(Exception failure, Duration lasted) {
    if (SqlStates.isDisconnected(failure)) {
      lock.doubt();
    }
    if (SqlStates.isUnreachable(failure)) {
      breaker.open();
    } else if (SqlStates.isDisconnected(failure)) {
      breaker.connectionLost(lasted);
    }
  }

  private <T, X extends Exception> T inTransaction(EntityManager em, Work<T, X> work) throws X {
    boundary.begin(em);
    try {
      T result = work.run(em);
      boundary.commit(em);
      return result;
    } catch (Throwable failure) {
      rollback(em, failure);
      throw failure;
    }
  }

  private void rollback(EntityManager em, Throwable failure) {
    try {
      boundary.rollback(em);
    } catch (PersistenceException e) {
      // Closing the connection rolls back too; what counts is the first failure.
      failure.addSuppressed(e);
    }
  }
}
