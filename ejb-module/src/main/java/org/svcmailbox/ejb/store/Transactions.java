package org.svcmailbox.ejb.store;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.svcmailbox.core.problem.UnavailableException;

/** Runs work on the database, each with its own entity manager. Any thread. */
public final class Transactions {
  private static final Logger LOG = System.getLogger(Transactions.class.getName());

  /** Work in a transaction; an exception rolls it back. */
  @FunctionalInterface
  public interface Work<T, X extends Exception> {
    T run(EntityManager em) throws X;
  }

  /** SQL in a transaction that it must not end; an exception rolls it back. */
  @FunctionalInterface
  public interface SqlWork {
    void run(Connection connection) throws SQLException;
  }

  /** Queries of which each sees committed data. */
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
  private final List<Runnable> returned = new CopyOnWriteArrayList<>();

  /** How often the lock had been taken again at the last run of {@link #returned}. */
  private final AtomicLong retaken = new AtomicLong();

  /**
   * @param source also supplies the entity managers
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
   * Runs {@code work} in one transaction, on disk on return. Retries if the database rolls it back
   * in favour of another.
   *
   * @throws UnavailableException when the database fails or takes too long
   */
  public <T, X extends Exception> T write(Work<T, X> work) throws X {
    return repeated(() -> withEntityManager(em -> inTransaction(em, work)));
  }

  /**
   * As {@link #write}, for the projection. It runs many times a second, and an entity manager and
   * the server's transaction manager would take longer than the database.
   */
  public void writeSql(SqlWork work) {
    boolean unused =
        writeSqlAndAnswer(
            connection -> {
              work.run(connection);
              return true;
            });
  }

  /** As {@link #writeSql}, with an answer. */
  public <T> T writeSqlAndAnswer(SqlQuestion<T> work) {
    return repeated(() -> readSql(connection -> inTransaction(connection, work)));
  }

  /**
   * Queries without a transaction or an entity manager.
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

  /** Keeps a server that may have lost the database to another one from writing. */
  private void requireLock() {
    if (!lock.isCertain()) {
      // First, because the probe may hold the lock's monitor while it waits for the database.
      breaker.requireClosed();
      // One at a time: a silent database keeps one thread waiting, not each in turn.
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

  private static <T> T inTransaction(Connection connection, SqlQuestion<T> work)
      throws SQLException {
    connection.setAutoCommit(false);
    boolean isDone = false;
    try {
      T answer = work.ask(connection);
      connection.commit();
      isDone = true;
      return answer;
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
      // Closing the connection rolls back too; the first failure counts.
      LOG.log(Level.DEBUG, "The rollback failed", e);
    }
  }

  /**
   * Runs {@code work} without a transaction; each query sees committed data.
   *
   * @throws UnavailableException when the database fails
   */
  public <T, X extends Exception> T read(Work<T, X> work) throws X {
    return withEntityManager(work);
  }

  /**
   * Checks that the database answers and still belongs to this server. It must be called regularly,
   * because only a success readmits callers. Runs the work of {@link #onReturn} if it is due.
   *
   * @throws UnavailableException when it does not
   */
  public void probe() {
    verifyLock();
    timed(em -> em.createNativeQuery("select 1").getSingleResult());
    breaker.close();
    long times = lock.retaken();
    if (times != retaken.get()) {
      returned.forEach(Runnable::run);
      retaken.set(times);
    }
  }

  /**
   * Has the next {@link #probe} run {@code work} whenever the database was lost and is back,
   * because it may lack recent changes. Work that throws {@link UnavailableException} is repeated.
   */
  public void onReturn(Runnable work) {
    returned.add(work);
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
      // Closing the connection rolls back too; the first failure counts.
      failure.addSuppressed(e);
    }
  }
}
