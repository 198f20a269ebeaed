package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.util.Optional;

/** A worker's last batch: its number, and the places of its rows until it is withdrawn. */
@Entity
@Table(name = "send_batch")
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
