package org.svcmailbox.ejb.store;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceException;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;

/** The server's transactions. With one resource a commit has one phase and no log. */
final class JtaTransactionBoundary implements TransactionBoundary {
  private final UserTransaction transaction;

  JtaTransactionBoundary(UserTransaction transaction) {
    this.transaction = transaction;
  }

  @Override
  public void begin(EntityManager em) {
    try {
      transaction.begin();
    } catch (NotSupportedException | SystemException e) {
      throw new PersistenceException("cannot begin a transaction", e);
    }
    em.joinTransaction();
  }

  @Override
  public void commit(EntityManager em) {
    try {
      transaction.commit();
    } catch (RollbackException
        | HeuristicMixedException
        | HeuristicRollbackException
        | SystemException e) {
      throw new PersistenceException("the commit failed", e);
    }
  }

  @Override
  public void rollback(EntityManager em) {
    try {
      if (transaction.getStatus() != Status.STATUS_NO_TRANSACTION) {
        transaction.rollback();
      }
    } catch (SystemException e) {
      throw new PersistenceException("the rollback failed", e);
    }
  }
}
