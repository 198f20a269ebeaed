package org.svcmailbox.ejb.batch;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.TypedQuery;
import java.io.Serializable;
import java.util.Objects;
import org.svcmailbox.core.batch.WorkerId;

/** The primary key of a page of keys: the batch that took them and the time of their expiry. */
@Embeddable
class KeyPagePlace implements Serializable {
  private static final long serialVersionUID = 1L;

  @Column(name = "worker")
  private int worker;

  @Column(name = "batch_no")
  private long batchNo;

  @Column(name = "expires_at")
  private long expiresAt;

  /** For the persistence provider. */
  protected KeyPagePlace() {}

  KeyPagePlace(WorkerId worker, long batchNo, long expiresAt) {
    this.worker = worker.number();
    this.batchNo = batchNo;
    this.expiresAt = expiresAt;
  }

  /** Sorts before all pages of a worker, because batches count from 1. */
  static KeyPagePlace before(WorkerId worker) {
    return new KeyPagePlace(worker, 0, 0);
  }

  /** Another page of the same worker. */
  KeyPagePlace next(long anotherBatch, long anotherExpiry) {
    return new KeyPagePlace(WorkerId.of(worker), anotherBatch, anotherExpiry);
  }

  /** Sets a query's parameters to this place. */
  <T> TypedQuery<T> in(TypedQuery<T> query) {
    return query
        .setParameter("worker", worker)
        .setParameter("batchNo", batchNo)
        .setParameter("expiresAt", expiresAt);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyPagePlace that
        && worker == that.worker
        && batchNo == that.batchNo
        && expiresAt == that.expiresAt;
  }

  @Override
  public int hashCode() {
    return Objects.hash(worker, batchNo, expiresAt);
  }
}
