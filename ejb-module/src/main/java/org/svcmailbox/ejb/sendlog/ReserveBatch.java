package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.EntityManager;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.svcmailbox.core.delivery.SendLog.Batch;
import org.svcmailbox.ejb.store.Transactions.Work;

/** The writing of one batch: its number, then its keys, then its pages of the ledgers. */
final class ReserveBatch implements Work<Integer, RuntimeException> {
  private final Batch batch;
  private final Collection<KeyPage> keyPages;
  private final List<LedgerPage> ledgerPages;

  /**
   * @param keyPages not yet written
   */
  ReserveBatch(Batch batch, Collection<KeyPage> keyPages) {
    this.batch = batch;
    this.keyPages = keyPages;
    this.ledgerPages = LedgerPage.of(batch.rows());
  }

  /** Returns how many rows were written. */
  @Override
  public Integer run(EntityManager em) {
    // A transaction of SQLite's that begins with a write never finds its snapshot outdated.
    advance(em);
    KeyPageEntity.INSERT.run(em, keyPages.stream().map(ReserveBatch::row).toList());
    LedgerPageEntity.INSERT.run(em, ledgerPages.stream().map(LedgerPageEntity::row).toList());
    return 1 + keyPages.size() + ledgerPages.size();
  }

  private void advance(EntityManager em) {
    byte[] places = BatchPlaces.of(ledgerPages).bytes();
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

  private void refuse(long last) {
    throw new IllegalArgumentException(
        "batch " + batch.batchNo() + " of worker " + batch.worker() + " does not follow " + last);
  }

  private static Object[] row(KeyPage page) {
    return KeyPageEntity.row(page, Objects.requireNonNull(page.unwritten()));
  }
}
