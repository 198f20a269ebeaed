package org.svcmailbox.ejb.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.problem.UnavailableException;

/** The contract of {@link Transactions} on every database. */
interface TransactionsContract {
  TestDatabase database();

  @Test
  default void whatIsWrittenIsSeen() {
    assertEquals(1, write("a"));
    assertEquals(1, topics());
  }

  @Test
  default void whatWorkThrowsUndoesIt() {
    IllegalArgumentException unchecked = new IllegalArgumentException("no");
    assertSame(
        unchecked, assertThrows(IllegalArgumentException.class, () -> insertAndThrow(unchecked)));
    IOException checked = new IOException("no");
    assertSame(checked, assertThrows(IOException.class, () -> insertAndThrow(checked)));
    assertEquals(0, topics());
  }

  @Test
  default void anErrorUndoesTheWorkToo() {
    AssertionError error = new AssertionError("no");
    assertSame(
        error,
        assertThrows(
            AssertionError.class,
            () ->
                database()
                    .transactions()
                    .write(
                        em -> {
                          insert(em, "a");
                          throw error;
                        })));
    assertEquals(0, topics());
  }

  @Test
  default void whatTheDatabaseRefusesIsUnavailableAndUndone() {
    UnavailableException e =
        assertThrows(
            UnavailableException.class,
            () ->
                database()
                    .transactions()
                    .write(
                        em -> {
                          insert(em, "a");
                          return em.createNativeQuery("select 1 from nowhere").getResultList();
                        }));
    assertTrue(e.getCause() instanceof PersistenceException);
    assertEquals(0, topics());
  }

  @Test
  default void aViolatedKeyIsTellable() {
    write("a");
    UnavailableException e =
        assertThrows(
            UnavailableException.class,
            () -> database().transactions().write(em -> insert(em, "a")));
    assertTrue(SqlStates.isViolation(e));
    UnavailableException other =
        assertThrows(
            UnavailableException.class,
            () ->
                database()
                    .transactions()
                    .read(em -> em.createNativeQuery("select 1 from nowhere").getResultList()));
    assertEquals(false, SqlStates.isViolation(other));
  }

  @Test
  default void theDatabaseIsUsableAfterEveryFailure() {
    for (int i = 0; i < 20; i++) {
      assertThrows(
          UnavailableException.class,
          () ->
              database()
                  .transactions()
                  .write(em -> em.createNativeQuery("update nowhere set x = 1").executeUpdate()));
    }
    assertEquals(1, write("a"));
  }

  @Test
  default void migratingAgainChangesNothing() throws SQLException {
    write("a");
    database().reopen();
    assertEquals(1, topics());
  }

  @Test
  default void theEntitiesFitTheTables() {
    try (EntityManagerFactory checked =
        database().entityManagers(Map.of("hibernate.hbm2ddl.auto", "validate"))) {
      assertTrue(checked.isOpen());
    }
  }

  private <X extends Exception> void insertAndThrow(X failure) throws X {
    database()
        .transactions()
        .write(
            em -> {
              insert(em, "a");
              throw failure;
            });
  }

  private int write(String name) {
    return database().transactions().write(em -> insert(em, name));
  }

  private long topics() {
    return database()
        .transactions()
        .read(
            em ->
                ((Number) em.createNativeQuery("select count(*) from topic").getSingleResult())
                    .longValue());
  }

  private static int insert(EntityManager em, String name) {
    return em.createNativeQuery("insert into topic (name) values (?)")
        .setParameter(1, name)
        .executeUpdate();
  }
}
