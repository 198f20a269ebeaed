package org.svcmailbox.ejb.store;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceException;

/** Where a transaction begins and ends; every method throws {@link PersistenceException}. */
interface TransactionBoundary {
  /** Begins a transaction that {@code em} takes part in. */
  void begin(EntityManager em);

  /** Flushes and commits; on return it is on disk. */
  void commit(EntityManager em);

  /** Ends the transaction without a trace; a no-op when there is none. */
  void rollback(EntityManager em);
}
