package org.svcmailbox.ejb.batch;

import jakarta.persistence.Column;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.svcmailbox.core.batch.Batch;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.ejb.store.InsertRows;

/** A page of keys that one batch took and that expire together. */
@Entity
@Table(name = "idempotency_page")
@NamedQuery(
    name = KeyPageEntity.AT,
    query =
        "select p.entries from KeyPageEntity p where p.place.worker = :worker"
            + " and p.place.batchNo = :batchNo and p.place.expiresAt = :expiresAt")
@NamedQuery(
    name = KeyPageEntity.AFTER,
    query =
        "select p.place.batchNo, p.place.expiresAt, p.entries"
            + " from KeyPageEntity p where p.place.worker = :worker"
            + " and (p.place.batchNo > :batchNo"
            + " or (p.place.batchNo = :batchNo and p.place.expiresAt > :expiresAt))"
            + " order by p.place.batchNo, p.place.expiresAt")
@NamedQuery(
    name = KeyPageEntity.DELETE_AFTER,
    query =
        "delete from KeyPageEntity p where p.place.worker = :worker and p.place.batchNo > :batchNo")
@NamedQuery(
    name = KeyPageEntity.PURGE,
    query =
        "delete from KeyPageEntity p where p.place.expiresAt <= :until"
            + " and p.place.worker in :workers")
class KeyPageEntity {
  static final String AT = "KeyPageEntity.at";
  static final String AFTER = "KeyPageEntity.after";
  static final String DELETE_AFTER = "KeyPageEntity.deleteAfter";
  static final String PURGE = "KeyPageEntity.purge";

  static final InsertRows INSERT =
      new InsertRows("idempotency_page", "worker", "batch_no", "expires_at", "entries");

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @EmbeddedId
  private KeyPagePlace place;

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Column(name = "entries")
  private byte[] entries;

  /** For the persistence provider. */
  @SuppressWarnings("NullAway.Init")
  protected KeyPageEntity() {}

  /** The rows of a batch for {@link #INSERT}. */
  static List<Object[]> rows(Batch batch) {
    return batch.pages().keys().stream()
        .map(
            page ->
                new Object[] {
                  batch.worker().number(), batch.id().number(), page.expiresAt(), page.entries()
                })
        .toList();
  }

  /** The entries of a page; empty if it was purged. */
  static Optional<byte[]> at(EntityManager em, KeyPagePlace place) {
    return place.in(em.createNamedQuery(AT, byte[].class)).getResultList().stream().findFirst();
  }

  /** The rows after {@code place} of its worker, in table order: batch, expiry, entries. */
  static List<Object[]> after(EntityManager em, KeyPagePlace place, int limit) {
    return place
        .in(em.createNamedQuery(AFTER, Object[].class))
        .setMaxResults(limit)
        .getResultList();
  }

  /** Removes the pages of a worker's batches with higher numbers. */
  static void deleteAfter(EntityManager em, WorkerId worker, long batchNo) {
    em.createNamedQuery(DELETE_AFTER)
        .setParameter("worker", worker.number())
        .setParameter("batchNo", batchNo)
        .executeUpdate();
  }

  /** Removes pages of these workers that expire by {@code until}, in epoch milliseconds. */
  static int purge(EntityManager em, Set<WorkerId> workers, long until) {
    return em.createNamedQuery(PURGE)
        .setParameter("until", until)
        .setParameter("workers", workers.stream().map(WorkerId::number).toList())
        .executeUpdate();
  }
}
