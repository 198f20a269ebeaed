package org.svcmailbox.ejb.sendlog;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
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
  /** A page has at most the entries of one batch, so this bounds what is read in advance. */
  private static final int PAGES_AT_ONCE = 16;

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
    List<LedgerEntry> last = transactions.read(em -> LedgerPageEntity.last(em, topicId, shard));
    return last.isEmpty() ? LedgerHead.EMPTY : LedgerHead.after(last.get(last.size() - 1));
  }

  @Override
  public List<LedgerEntry> ledger(int topicId, int shard, long from, int limit) {
    List<LedgerEntry> found = new ArrayList<>();
    boolean more = true;
    while (more && found.size() < limit) {
      long next = found.isEmpty() ? from : found.get(found.size() - 1).seq() + 1;
      int before = found.size();
      transactions
          .read(em -> LedgerPageEntity.from(em, topicId, shard, next, PAGES_AT_ONCE))
          .forEach(page -> page.stream().filter(e -> e.seq() >= next).forEach(found::add));
      more = found.size() > before;
    }
    return List.copyOf(found.subList(0, Math.min(limit, found.size())));
  }

  @Override
  public LedgerHead ledgerStart(int topicId, int shard) {
    return transactions.read(em -> LedgerStartEntity.of(em, topicId, shard));
  }

  @Override
  public int trimLedger(int topicId, int shard, Instant before, int limit) {
    TrimLedger trim = new TrimLedger(topicId, shard, before, limit);
    return transactions.read(trim::isDue) ? transactions.write(trim) : 0;
  }

  @Override
  public int sweepDeleted(int limit) {
    boolean isClean = transactions.read(SweepDeleted::topics).isEmpty();
    return isClean ? 0 : transactions.write(new SweepDeleted(limit));
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
