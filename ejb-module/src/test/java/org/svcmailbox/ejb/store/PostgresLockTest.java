package org.svcmailbox.ejb.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.problem.UnavailableException;

class PostgresLockTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  private final PooledSource pool = new PooledSource(DATABASE.source());
  private PostgresLock lock;

  @BeforeEach
  void take() throws SQLException {
    lock = PostgresLock.acquire(pool, /* isShared= */ false, Duration.ofSeconds(10));
    lock.claim();
  }

  @AfterEach
  void giveBack() throws SQLException {
    lock.close();
    pool.close();
  }

  private static PostgresLock another() throws SQLException {
    return PostgresLock.acquire(DATABASE.source(), /* isShared= */ false, Duration.ZERO);
  }

  private static PostgresLock node() throws SQLException {
    return PostgresLock.acquire(DATABASE.source(), /* isShared= */ true, Duration.ZERO);
  }

  @Test
  void nodesOfAClusterHaveTheDatabaseTogetherAndNoServerBesideThem() throws SQLException {
    assertThrows(DatabaseInUseException.class, PostgresLockTest::node, "a server is alone");
    lock.close();
    try (PostgresLock one = node()) {
      one.claim();
      try (PostgresLock two = node()) {
        two.claim();
        assertTrue(one.isCertain() && two.isCertain());
        assertThrows(DatabaseInUseException.class, PostgresLockTest::another);
      }
      assertThrows(DatabaseInUseException.class, PostgresLockTest::another, "one is left");
    }
    another().close();
  }

  @Test
  void aNodeThatLostItsSessionGoesOnBesideTheOthers() throws SQLException {
    lock.close();
    try (PostgresLock one =
            PostgresLock.acquire(pool, /* isShared= */ true, Duration.ofSeconds(10));
        PostgresLock two = node()) {
      one.claim();
      two.claim();
      endSession();
      assertThrows(SQLException.class, one::verify);
      try (PostgresLock three = node()) {
        three.claim();
        one.verify();
        assertTrue(one.isCertain());
      }
    }
  }

  @Test
  void aNodeThatLostTheDatabaseToAServerThatIsAloneWritesNothingAnyMore() throws SQLException {
    lock.close();
    try (PostgresLock one =
        PostgresLock.acquire(pool, /* isShared= */ true, Duration.ofSeconds(10))) {
      one.claim();
      endSession();
      assertThrows(SQLException.class, one::verify);
      try (PostgresLock alone = another()) {
        assertThrows(UnavailableException.class, one::verify, "it has the database");
        alone.claim();
      }
      assertThrows(UnavailableException.class, one::verify, "it had the database");
    }
  }

  /** On return the session is gone and the lock is free. */
  private static void endSession() throws SQLException {
    execute(
        "select pg_terminate_backend(pid, 10000) from pg_locks"
            + " where locktype = 'advisory' and objid = 702219045 and granted"
            + " and database = (select oid from pg_database where datname = current_database())");
  }

  private void lose() throws SQLException {
    endSession();
    assertThrows(SQLException.class, lock::verify);
    assertFalse(lock.isCertain());
  }

  private static void execute(String statement) throws SQLException {
    try (Connection connection = DATABASE.source().getConnection();
        Statement executed = connection.createStatement()) {
      executed.execute(statement);
    }
  }

  @Test
  void aSecondServerIsRefusedAndToldWhoHasTheDatabase() throws SQLException {
    DatabaseInUseException thrown =
        assertThrows(DatabaseInUseException.class, PostgresLockTest::another);
    String refusal = String.valueOf(thrown.getMessage());
    assertTrue(refusal.contains("PostgreSQL session ") && refusal.contains("127.0.0.1"), refusal);
    assertTrue(lock.isCertain());
  }

  @Test
  void aConnectionThatThePoolKeepsDoesNotKeepTheLock() throws SQLException {
    lock.close();
    assertFalse(lock.isCertain());
    another().close();
  }

  @Test
  void aLockThatIsHeldIsSeenToBe() throws SQLException {
    lock.doubt();
    assertFalse(lock.isCertain());
    lock.verify();
    assertTrue(lock.isCertain());
  }

  @Test
  void aLockThatWasLostIsTakenAgain() throws SQLException {
    lose();
    lock.verify();
    assertTrue(lock.isCertain());
    assertThrows(DatabaseInUseException.class, PostgresLockTest::another);
  }

  @Test
  void aLockThatAnotherTookIsLostAndIsOursAgainIfNothingWasWrittenMeanwhile() throws SQLException {
    lose();
    try (PostgresLock other = another()) {
      assertTrue(other.isCertain());
      assertThrows(UnavailableException.class, lock::verify);
      assertFalse(lock.isCertain());
    }
    lock.verify();
    assertTrue(lock.isCertain());
  }

  @Test
  void whoeverLostTheDatabaseToAnotherServerWritesNothingAnyMore() throws SQLException {
    lose();
    try (PostgresLock other = another()) {
      other.claim();
    }
    for (int i = 0; i < 2; i++) {
      UnavailableException refusal = assertThrows(UnavailableException.class, lock::verify);
      assertTrue(String.valueOf(refusal.getMessage()).contains("restart it"));
      assertFalse(lock.isCertain());
    }
    another().close();
  }

  @Test
  void nothingIsWrittenFromTheFirstLostConnectionOnUntilTheLockIsSeenToBeHeld()
      throws SQLException {
    try (EntityManagerFactory managers = OpenDatabase.entityManagers(pool, Map.of())) {
      Transactions transactions =
          new Transactions(
              managers,
              new ResourceLocalTransactionBoundary(),
              pool,
              Database.POSTGRESQL,
              new WriteGate(2, Duration.ofSeconds(1)),
              lock);
      String write = "insert into deleted_topic (topic_id) values (1)";
      endSession();
      try (PostgresLock other = another()) {
        assertTrue(other.isCertain());
        assertThrows(
            UnavailableException.class,
            () -> transactions.readSql(PostgresLockTest::loseConnection));
        assertThrows(UnavailableException.class, () -> insert(transactions, write));
        assertThrows(UnavailableException.class, transactions::probe);
      }
      AtomicInteger returns = new AtomicInteger();
      transactions.onReturn(returns::incrementAndGet);
      transactions.probe();
      transactions.probe();
      assertEquals(1, returns.get(), "the database may have fallen back");
      insert(transactions, write);
    }
    assertEquals(1L, count());
  }

  private static boolean loseConnection(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute("select pg_terminate_backend(pg_backend_pid())");
    }
  }

  private static void insert(Transactions transactions, String write) {
    transactions.writeSql(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(write);
          }
        });
  }

  private static long count() {
    return DATABASE
        .transactions()
        .read(
            em ->
                (long)
                    em.createNativeQuery("select count(*) from deleted_topic", Long.class)
                        .getSingleResult());
  }
}
