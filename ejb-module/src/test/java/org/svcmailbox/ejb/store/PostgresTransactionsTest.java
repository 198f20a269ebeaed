package org.svcmailbox.ejb.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.test.concurrent.Together;

class PostgresTransactionsTest implements TransactionsContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  @Override
  public TestDatabase database() {
    return DATABASE;
  }

  @Test
  void aLostConnectionIsUnavailableAndTheNextOneWorks() {
    assertThrows(
        UnavailableException.class,
        () ->
            DATABASE
                .transactions()
                .write(
                    em ->
                        em.createNativeQuery("select pg_terminate_backend(pg_backend_pid())")
                            .getResultList()));
    assertEquals(1, write("a"));
  }

  @Test
  void theLoserOfADeadlockIsDoneAgain() throws Exception {
    write("a");
    write("b");
    CyclicBarrier bothHoldOne = new CyclicBarrier(2);
    // Without waiting for the winner, the loser could meet it again before it has committed.
    CountDownLatch oneIsDone = new CountDownLatch(1);
    List<String> runs = Collections.synchronizedList(new ArrayList<>());

    Together.run(
        List.of(
            () -> touchBoth("a", "b", runs, bothHoldOne, oneIsDone),
            () -> touchBoth("b", "a", runs, bothHoldOne, oneIsDone)));

    assertEquals(3, runs.size(), runs.toString());
    long both =
        DATABASE
            .transactions()
            .read(
                em ->
                    (long)
                        em.createNativeQuery(
                                "select count(*) from topic where max_attempts = 2", Long.class)
                            .getSingleResult());
    assertEquals(2, both);
  }

  private static int touchBoth(
      String first,
      String second,
      List<String> runs,
      CyclicBarrier bothHoldOne,
      CountDownLatch oneIsDone)
      throws Exception {
    int changed =
        DATABASE
            .transactions()
            .write(
                em -> {
                  boolean isFirstRun = !runs.contains(first);
                  runs.add(first);
                  if (!isFirstRun) {
                    assertTrue(oneIsDone.await(10, TimeUnit.SECONDS), "nobody won");
                  }
                  int touched = touch(em, first);
                  if (isFirstRun) {
                    bothHoldOne.await(10, TimeUnit.SECONDS);
                  }
                  return touched + touch(em, second);
                });
    oneIsDone.countDown();
    return changed;
  }

  private static int touch(EntityManager em, String name) {
    return em.createNativeQuery(
            "update topic set max_attempts = coalesce(max_attempts, 0) + 1 where name = ?")
        .setParameter(1, name)
        .executeUpdate();
  }

  private static int write(String name) {
    return DATABASE
        .transactions()
        .write(
            em ->
                em.createNativeQuery("insert into topic (name) values (?)")
                    .setParameter(1, name)
                    .executeUpdate());
  }
}
