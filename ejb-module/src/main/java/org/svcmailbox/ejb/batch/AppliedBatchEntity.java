package org.svcmailbox.ejb.batch;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.WorkerId;

/**
 * The last batch of a worker that is in the database, or none; {@link ApplyBatches} advances it. A
 * worker without a row may have no log yet.
 */
@Entity
@Table(name = "send_log")
@NamedQuery(
    name = AppliedBatchEntity.LEDGER_BYTES,
    query = "select coalesce(sum(l.ledgerBytes), 0) from AppliedBatchEntity l")
@NamedQuery(
    name = AppliedBatchEntity.LEDGERS_SHRANK,
    query =
        "update AppliedBatchEntity l set l.ledgerBytes = l.ledgerBytes - :bytes"
            + " where l.worker = (select min(m.worker) from AppliedBatchEntity m)")
@NamedQuery(
    name = AppliedBatchEntity.WORKERS,
    query = "select l.worker from AppliedBatchEntity l order by l.worker")
class AppliedBatchEntity {
  static final String LEDGER_BYTES = "AppliedBatchEntity.ledgerBytes";
  static final String LEDGERS_SHRANK = "AppliedBatchEntity.ledgersShrank";
  static final String WORKERS = "AppliedBatchEntity.workers";

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Id
  @Column(name = "worker")
  private int worker;

  @Column(name = "applied")
  private long applied;

  @Column(name = "stamp")
  private long stamp;

  /** This worker's share of the ledgers' bytes; only the sum of all shares is meaningful. */
  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Column(name = "ledger_bytes")
  private long ledgerBytes;

  /** For the persistence provider. */
  protected AppliedBatchEntity() {}

  private AppliedBatchEntity(int worker) {
    this.worker = worker;
  }

  /** The last batch of a worker. */
  static BatchId applied(EntityManager em, WorkerId worker) {
    AppliedBatchEntity row = em.find(AppliedBatchEntity.class, worker.number());
    return row == null ? BatchId.NONE : new BatchId(row.applied, row.stamp);
  }

  /** Sets the last batch of a worker unconditionally. */
  static void put(EntityManager em, WorkerId worker, BatchId last) {
    AppliedBatchEntity known = em.find(AppliedBatchEntity.class, worker.number());
    AppliedBatchEntity row = known == null ? new AppliedBatchEntity(worker.number()) : known;
    row.applied = last.number();
    row.stamp = last.stamp();
    em.persist(row);
  }

  /** Adds a worker without a batch, unless it is there. */
  static void add(EntityManager em, WorkerId worker) {
    if (em.find(AppliedBatchEntity.class, worker.number()) == null) {
      em.persist(new AppliedBatchEntity(worker.number()));
    }
  }

  /** Bytes that all ledgers take on disk. */
  static long ledgerBytes(EntityManager em) {
    return em.createNamedQuery(LEDGER_BYTES, Long.class).getSingleResult();
  }

  /**
   * Records that ledger pages were removed. The caller does this last in its transaction, because
   * the projection waits for the row.
   */
  static void ledgersShrank(EntityManager em, long bytes) {
    em.createNamedQuery(LEDGERS_SHRANK).setParameter("bytes", bytes).executeUpdate();
  }
}
