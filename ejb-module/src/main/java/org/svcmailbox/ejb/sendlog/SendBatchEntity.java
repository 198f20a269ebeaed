package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import org.svcmailbox.core.delivery.BatchId;

/**
 * A worker's last batch: its number, the places of its rows until it is withdrawn, and the last one
 * before it that the broker had.
 */
@Entity
@Table(name = "send_batch")
@NamedQuery(
    name = SendBatchEntity.EMPTY,
    query =
        "update SendBatchEntity b set b.places = :places, b.ledgerBytes = b.ledgerBytes - :bytes"
            + " where b.worker = :worker")
@NamedQuery(
    name = SendBatchEntity.LEDGER_BYTES,
    query = "select coalesce(sum(b.ledgerBytes), 0) from SendBatchEntity b")
@NamedQuery(
    name = SendBatchEntity.LEDGERS_SHRANK,
    query =
        "update SendBatchEntity b set b.ledgerBytes = b.ledgerBytes - :bytes"
            + " where b.worker = (select min(c.worker) from SendBatchEntity c)")
@NamedQuery(
    name = SendBatchEntity.PLACES,
    query =
        "select b.places from SendBatchEntity b"
            + " where b.worker = :worker and b.batchNo = :batchNo")
@NamedQuery(
    name = SendBatchEntity.WORKERS,
    query = "select b.worker from SendBatchEntity b where b.batchNo > 0 order by b.worker")
class SendBatchEntity {
  static final String EMPTY = "SendBatchEntity.empty";
  static final String LEDGER_BYTES = "SendBatchEntity.ledgerBytes";
  static final String LEDGERS_SHRANK = "SendBatchEntity.ledgersShrank";
  static final String PLACES = "SendBatchEntity.places";
  static final String WORKERS = "SendBatchEntity.workers";

  @Id
  @Column(name = "worker")
  private int worker;

  @Column(name = "batch_no")
  private long batchNo;

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Column(name = "stamp")
  private long stamp;

  @Column(name = "places")
  private byte[] places;

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Column(name = "confirmed")
  private long confirmed;

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Column(name = "confirmed_stamp")
  private long confirmedStamp;

  /** This worker's part of the bytes that the ledgers take; only the sum of all parts counts. */
  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Column(name = "ledger_bytes")
  private long ledgerBytes;

  /** For the persistence provider. */
  @SuppressWarnings("NullAway.Init")
  protected SendBatchEntity() {}

  private SendBatchEntity(int worker) {
    this.worker = worker;
    this.places = BatchPlaces.NONE.bytes();
  }

  /**
   * Notes what the broker has as the worker's confirmed batch, and as its last one unless that has
   * a higher number; nothing is left to withdraw.
   */
  static void adopt(EntityManager em, int worker, BatchId logged) {
    SendBatchEntity known = em.find(SendBatchEntity.class, worker);
    SendBatchEntity row = known == null ? new SendBatchEntity(worker) : known;
    if (row.batchNo < logged.number()) {
      row.batchNo = logged.number();
      row.stamp = logged.stamp();
    }
    row.confirmed = logged.number();
    row.confirmedStamp = logged.stamp();
    row.places = BatchPlaces.NONE.bytes();
    em.persist(row);
  }

  /** Bytes that all ledgers take on disk. */
  static long ledgerBytes(EntityManager em) {
    return em.createNamedQuery(LEDGER_BYTES, Long.class).getSingleResult();
  }

  /**
   * Notes within the caller's transaction, as the last thing it does, that pages of the ledgers are
   * gone: a worker waits for the row.
   */
  static void ledgersShrank(EntityManager em, long bytes) {
    em.createNamedQuery(LEDGERS_SHRANK).setParameter("bytes", bytes).executeUpdate();
  }
}
