package org.svcmailbox.ejb.batch;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import org.svcmailbox.core.batch.WorkerId;

/** The highest number that a worker's lost batches can have given in any ledger. */
@Entity
@Table(name = "ledger_floor")
@NamedQuery(
    name = LedgerFloorEntity.HIGHEST,
    query = "select coalesce(max(f.seq), 0) from LedgerFloorEntity f")
class LedgerFloorEntity {
  static final String HIGHEST = "LedgerFloorEntity.highest";

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Id
  @Column(name = "worker")
  private int worker;

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Column(name = "seq")
  private long seq;

  /** For the persistence provider. */
  protected LedgerFloorEntity() {}

  private LedgerFloorEntity(int worker, long seq) {
    this.worker = worker;
    this.seq = seq;
  }

  /** The highest floor of all workers; 0 if nothing was ever lost. */
  static long highest(EntityManager em) {
    return em.createNamedQuery(HIGHEST, Long.class).getSingleResult();
  }

  static void put(EntityManager em, WorkerId worker, long seq) {
    em.merge(new LedgerFloorEntity(worker.number(), seq));
  }
}
