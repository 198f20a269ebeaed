package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.svcmailbox.core.delivery.SendLog.Batch;
import org.svcmailbox.core.delivery.SendLog.KeyTakenException;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.ejb.store.SqlStates;
import org.svcmailbox.ejb.store.Transactions.Work;

/** The writing of one batch: its number, then its keys, then its pages of the ledgers. */
final class ReserveBatch implements Work<Integer, KeyTakenException> {
  // Workers that want the same keys ask for them in the same order, so that they queue instead of
  // each holding what the other waits for.
  private static final Comparator<Row> BY_KEY =
      Comparator.comparing(
          Row::key,
          Comparator.comparingLong(IdempotencyKey::high).thenComparingLong(IdempotencyKey::low));

  private final Batch batch;
  private final List<Row> rows;
  private final List<LedgerPage> pages;
  private final Instant now;

  ReserveBatch(Batch batch, Instant now) {
    this.batch = batch;
    this.rows = batch.rows().stream().sorted(BY_KEY).toList();
    this.pages = LedgerPage.of(batch.rows());
    this.now = now;
  }

  /** Returns how many rows were written. */
  @Override
  public Integer run(EntityManager em) throws KeyTakenException {
    // A transaction of SQLite's that begins with a write never finds its snapshot outdated.
    advance(em);
    deleteExpired(em);
    insertKeys(em);
    insertPages(em);
    return rows.size();
  }

  private void advance(EntityManager em) {
    byte[] places = places().bytes();
    int advanced =
        em.createNamedQuery(SendBatchEntity.ADVANCE)
            .setParameter("worker", batch.worker())
            .setParameter("batchNo", batch.batchNo())
            .setParameter("places", places)
            .executeUpdate();
    if (advanced == 0) {
      SendBatchEntity.number(em, batch.worker()).ifPresent(this::refuse);
      em.persist(new SendBatchEntity(batch.worker(), batch.batchNo(), places));
      em.flush();
    }
  }

  private BatchPlaces places() {
    return new BatchPlaces(
        pages.stream().map(BatchPlaces.PagePlace::of).toList(),
        rows.stream().map(Row::key).toList());
  }

  private void refuse(long last) {
    throw new IllegalArgumentException(
        "batch " + batch.batchNo() + " of worker " + batch.worker() + " does not follow " + last);
  }

  private void deleteExpired(EntityManager em) {
    List<UUID> replaced =
        rows.stream().filter(Row::replacesExpired).map(row -> Ids.of(row.key())).toList();
    if (!replaced.isEmpty()) {
      em.createNamedQuery(IdempotencyEntity.DELETE_EXPIRED)
          .setParameter("keys", replaced)
          .setParameter("now", now.toEpochMilli())
          .executeUpdate();
    }
  }

  private void insertKeys(EntityManager em) throws KeyTakenException {
    try {
      IdempotencyEntity.INSERT.run(em, rows.stream().map(IdempotencyEntity::row).toList());
    } catch (PersistenceException e) {
      if (SqlStates.isViolation(e)) {
        throw new KeyTakenException(e);
      }
      throw e;
    }
  }

  private void insertPages(EntityManager em) {
    LedgerPageEntity.INSERT.run(em, pages.stream().map(LedgerPageEntity::row).toList());
  }
}
