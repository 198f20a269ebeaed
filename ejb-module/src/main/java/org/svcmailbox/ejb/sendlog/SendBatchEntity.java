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
    query = "update SendBatchEntity b set b.places = :places where b.worker = :worker")
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
    query = "select b.worker from SendBatchEntity b order by b.worker")
class SendBatchEntity {
  static final String CONFIRMED = "SendBatchEntity.confirmed";
  static final String EMPTY = "SendBatchEntity.empty";
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

  /** For the persistence provider. */
  @SuppressWarnings("NullAway.Init")
  protected SendBatchEntity() {}

  /** A batch that the broker has and that has no rows. */
  SendBatchEntity(int worker, long batchNo) {
    this.worker = worker;
    this.batchNo = batchNo;
    this.confirmed = batchNo;
    this.places = BatchPlaces.NONE.bytes();
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
}
