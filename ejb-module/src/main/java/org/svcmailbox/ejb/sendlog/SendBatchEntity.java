package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.util.Optional;

/**
 * A worker's last batch: its number, the places of its rows until it is withdrawn, and the last one
 * before it that the broker had.
 */
@Entity
@Table(name = "send_batch")
@NamedQuery(
    name = SendBatchEntity.CONFIRMED,
    query = "select b.confirmed from SendBatchEntity b where b.worker = :worker")
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
    name = SendBatchEntity.NUMBER,
    query = "select b.batchNo from SendBatchEntity b where b.worker = :worker")
@NamedQuery(
    name = SendBatchEntity.PLACES,
    query =
        "select b.places from SendBatchEntity b"
            + " where b.worker = :worker and b.batchNo = :batchNo")
@NamedQuery(
    name = SendBatchEntity.WORKERS,
    query = "select b.worker from SendBatchEntity b where b.batchNo > 0 order by b.worker")
class SendBatchEntity {
  static final String CONFIRMED = "SendBatchEntity.confirmed";
  static final String EMPTY = "SendBatchEntity.empty";
  static final String LEDGER_BYTES = "SendBatchEntity.ledgerBytes";
  static final String LEDGERS_SHRANK = "SendBatchEntity.ledgersShrank";
  static final String NUMBER = "SendBatchEntity.number";
  static final String PLACES = "SendBatchEntity.places";
  static final String WORKERS = "SendBatchEntity.workers";

  @Id
  @Column(name = "worker")
  private int worker;

  @Column(name = "batch_no")
  private long batchNo;

  @Column(name = "places")
  private byte[] places;

  @Column(name = "confirmed")
  private long confirmed;

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

  /** A worker's last batch is from now on one that the broker has and that has no rows. */
  static void adopt(EntityManager em, int worker, long batchNo) {
    SendBatchEntity known = em.find(SendBatchEntity.class, worker);
    SendBatchEntity row = known == null ? new SendBatchEntity(worker) : known;
    row.batchNo = batchNo;
    row.confirmed = batchNo;
    row.places = BatchPlaces.NONE.bytes();
    em.persist(row);
  }

  /** The number of a worker's last batch. */
  static Optional<Long> number(EntityManager em, int worker) {
    return ofWorker(em, NUMBER, worker);
  }

  /** The number of a worker's last batch that the broker was known to have. */
  static Optional<Long> confirmed(EntityManager em, int worker) {
    return ofWorker(em, CONFIRMED, worker);
  }

  private static Optional<Long> ofWorker(EntityManager em, String query, int worker) {
    return em
        .createNamedQuery(query, Long.class)
        .setParameter("worker", worker)
        .getResultList()
        .stream()
        .findFirst();
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
