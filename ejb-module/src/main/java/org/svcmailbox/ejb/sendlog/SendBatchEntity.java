package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.NamedNativeQuery;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.util.Optional;

/** A worker's last batch: its number, and the places of its rows until it is withdrawn. */
@Entity
@Table(name = "send_batch")
// In SQL, because an update in JPQL is translated anew at every call.
@NamedNativeQuery(
    name = SendBatchEntity.ADVANCE,
    query =
        "update send_batch set batch_no = :batchNo, places = :places"
            + " where worker = :worker and batch_no < :batchNo")
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
  static final String ADVANCE = "SendBatchEntity.advance";
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

  /** For the persistence provider. */
  @SuppressWarnings("NullAway.Init")
  protected SendBatchEntity() {}

  SendBatchEntity(int worker, long batchNo, byte[] places) {
    this.worker = worker;
    this.batchNo = batchNo;
    this.places = places;
  }

  /** The number of a worker's last batch. */
  static Optional<Long> number(EntityManager em, int worker) {
    return em
        .createNamedQuery(NUMBER, Long.class)
        .setParameter("worker", worker)
        .getResultList()
        .stream()
        .findFirst();
  }
}
