package org.svcmailbox.ejb.store;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityTransaction;

/** The entity manager's own transactions, for use outside a server. */
final class ResourceLocalTransactionBoundary implements TransactionBoundary {
  @Override
  public void begin(EntityManager em) {
    em.getTransaction().begin();
  }

  @Override
  public void commit(EntityManager em) {
    em.getTransaction().commit();
  }

  @Override
  public void rollback(EntityManager em) {
    EntityTransaction transaction = em.getTransaction();
    if (transaction.isActive()) {
      transaction.rollback();
    }
  }
}
