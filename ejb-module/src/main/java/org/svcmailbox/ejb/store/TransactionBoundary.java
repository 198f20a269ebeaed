package org.svcmailbox.ejb.store;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceException;

/** Begins and ends transactions. Every method throws {@link PersistenceException}. */
interface TransactionBoundary {
  void begin(EntityManager em);

  /** Flushes and commits; on disk on return. */
  void commit(EntityManager em);

  /** A no-op without a transaction. */
  void rollback(EntityManager em);
}
