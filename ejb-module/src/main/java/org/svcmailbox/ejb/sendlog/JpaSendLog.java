package org.svcmailbox.ejb.sendlog;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.core.delivery.SendLog;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.ejb.store.Transactions;

/** The send log in the database. Reads select columns: nothing they return is watched or cached. */
public final class JpaSendLog implements SendLog {
  private final Transactions transactions;
  private final InstantSource clock;

  /**
   * The log in the database of {@code transactions}.
   *
   * @param clock judges whether a row may be replaced
   */
  public JpaSendLog(Transactions transactions, InstantSource clock) {
    this.transactions = transactions;
    this.clock = clock;
  }

  @Override
  public Map<IdempotencyKey, Reservation> find(Collection<IdempotencyKey> keys) {
    if (keys.isEmpty()) {
      return Map.of();
    }
    Map<IdempotencyKey, Reservation> found = new HashMap<>();
    for (Object[] row : transactions.read(new FindKeys(keys))) {
      found.put(IdempotencyEntity.key(row), IdempotencyEntity.reservation(row));
    }
    return found;
  }

  @Override
  public void reserve(Batch batch) throws KeyTakenException {
    transactions.write(new ReserveBatch(batch, clock.instant()));
  }

  @Override
  public Optional<Long> lastBatch(int worker) {
    return transactions.read(em -> SendBatchEntity.number(em, worker));
  }

  @Override
  public List<Integer> workers() {
    return transactions.read(
        em -> em.createNamedQuery(SendBatchEntity.WORKERS, Integer.class).getResultList());
  }

  @Override
  public void withdraw(int worker, long batchNo) {
    transactions.write(new WithdrawBatch(worker, batchNo));
  }

  @Override
  public LedgerHead ledgerHead(int topicId, int shard) {
    return transactions
        .read(
            em ->
                em.createNamedQuery(LedgerEntity.HEAD, Object[].class)
                    .setParameter("topicId", topicId)
                    .setParameter("shard", shard)
                    .setMaxResults(1)
                    .getResultList())
        .stream()
        .findFirst()
        .map(LedgerEntity::head)
        .orElse(LedgerHead.EMPTY);
  }

  @Override
  public List<LedgerEntry> ledger(int topicId, int shard, long from, int limit) {
    return transactions
        .read(
            em ->
                em.createNamedQuery(LedgerEntity.STRETCH, Object[].class)
                    .setParameter("topicId", topicId)
                    .setParameter("shard", shard)
                    .setParameter("from", from)
                    .setMaxResults(limit)
                    .getResultList())
        .stream()
        .map(LedgerEntity::entry)
        .toList();
  }

  @Override
  public int purgeExpired(Instant now, int limit) {
    return transactions.write(
        em ->
            em.createNamedQuery(IdempotencyEntity.PURGE)
                .setParameter("now", now.toEpochMilli())
                .setParameter("limit", limit)
                .executeUpdate());
  }

  @Override
  public long countKeys() {
    return transactions.read(
        em -> em.createNamedQuery(IdempotencyEntity.COUNT, Long.class).getSingleResult());
  }
}
