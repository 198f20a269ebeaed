package org.svcmailbox.ejb.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JtaTransactionBoundaryTest {
  private final List<String> calls = new ArrayList<>();
  private final Recorded transaction = new Recorded();
  private final JtaTransactionBoundary boundary = new JtaTransactionBoundary(transaction);
  private final EntityManager em =
      (EntityManager)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {EntityManager.class},
              (proxy, method, args) -> {
                calls.add("em." + method.getName());
                return null;
              });

  @Test
  void theEntityManagerJoinsTheTransactionThatBegan() {
    boundary.begin(em);
    boundary.commit(em);
    assertEquals(List.of("begin", "em.joinTransaction", "commit"), calls);
  }

  @Test
  void aFailedCommitSaysWhy() {
    transaction.commitFailure = new RollbackException("timed out");
    PersistenceException e = assertThrows(PersistenceException.class, () -> boundary.commit(em));
    assertSame(transaction.commitFailure, e.getCause());
  }

  @Test
  void onlyATransactionThatIsThereIsRolledBack() {
    boundary.rollback(em);
    assertEquals(List.of(), calls);
    transaction.status = Status.STATUS_MARKED_ROLLBACK;
    boundary.rollback(em);
    assertEquals(List.of("rollback"), calls);
  }

  /** A transaction that records its calls. */
  private final class Recorded implements UserTransaction {
    private int status = Status.STATUS_NO_TRANSACTION;
    private @Nullable RollbackException commitFailure;

    @Override
    public void begin() {
      calls.add("begin");
    }

    @Override
    public void commit() throws RollbackException {
      if (commitFailure != null) {
        throw commitFailure;
      }
      calls.add("commit");
    }

    @Override
    public void rollback() {
      calls.add("rollback");
    }

    @Override
    public void setRollbackOnly() {
      calls.add("setRollbackOnly");
    }

    @Override
    public int getStatus() {
      return status;
    }

    @Override
    public void setTransactionTimeout(int seconds) {
      calls.add("setTransactionTimeout");
    }
  }
}
