package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.SendLog;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.store.SqlStates;
import org.svcmailbox.ejb.store.Transactions;

/**
 * The send log in the database. Reads select columns: nothing they return is watched or cached.
 * Which keys are taken is in memory too, so nobody else may write this database.
 */
public final class JpaSendLog implements SendLog {
  /** A page has at most the entries of one batch, so this bounds what is read in advance. */
  private static final int PAGES_AT_ONCE = 16;

  private final Transactions transactions;
  private final InstantSource clock;
  private volatile @Nullable TakenKeys keys;

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
  public Map<IdempotencyKey, Taken> find(Collection<IdempotencyKey> wanted) {
    return keys().find(wanted);
  }

  @Override
  public void reserve(Batch batch) throws KeyTakenException {
    Collection<KeyPage> pages = keys().take(batch, clock.instant());
    try {
      transactions.writeSql(new ReserveBatch(batch, pages, transactions.database()));
    } catch (UnavailableException e) {
      failed(batch, pages, e);
      throw e;
    } catch (RuntimeException e) {
      keys().free(pages);
      throw e;
    }
    keys().written(batch, pages);
  }

  /** What a constraint refused is not there; of anything else only the database knows. */
  private void failed(Batch batch, Collection<KeyPage> pages, UnavailableException failure) {
    if (SqlStates.isViolation(failure)) {
      keys().free(pages);
    } else {
      keys().doubted(batch, pages);
    }
  }

  @Override
  public Reserved lastBatch(int worker) {
    LastBatch last = new LastBatch(worker, transactions.database());
    transactions.writeSql(last);
    keys().settle(worker, last.found().last().number());
    return last.found();
  }

  @Override
  public void confirm(int worker, long batchNo) {
    keys().confirm(worker, batchNo);
  }

  @Override
  public void adopt(Adoption adoption) {
    transactions.write(new AdoptBatches(adoption));
    keys().removeAfter(adoption.worker(), adoption.keysAfter());
  }

  @Override
  public List<Integer> workers() {
    return transactions.read(
        em -> em.createNamedQuery(SendBatchEntity.WORKERS, Integer.class).getResultList());
  }

  @Override
  public void withdraw(int worker, long batchNo) {
    if (transactions.write(new WithdrawBatch(worker, batchNo, transactions.database()))) {
      keys().withdrawn(worker, batchNo);
    }
  }

  @Override
  public LedgerHead ledgerHead(int topicId, int shard) {
    return transactions.read(em -> head(em, topicId, shard));
  }

  private static LedgerHead head(EntityManager em, int topicId, int shard) {
    List<LedgerEntry> last = LedgerPageEntity.last(em, topicId, shard);
    LedgerHead head =
        last.isEmpty() ? LedgerHead.EMPTY : LedgerHead.after(last.get(last.size() - 1));
    return new LedgerHead(Math.max(head.seq(), LedgerFloorEntity.highest(em)), head.link());
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
    TrimLedger trim = new TrimLedger(topicId, shard, before, limit, transactions.database());
    return transactions.read(trim::isDue) ? transactions.write(trim) : 0;
  }

  @Override
  public Optional<Instant> ledgerOldest(int topicId, int shard) {
    return transactions.read(em -> LedgerPageEntity.oldest(em, topicId, shard, 1)).stream()
        .findFirst()
        .map(page -> page.last().msgId().createdAt());
  }

  @Override
  public long ledgerBytes() {
    return transactions.read(SendBatchEntity::ledgerBytes);
  }

  @Override
  public int sweepDeleted(int limit) {
    boolean isClean = transactions.read(SweepDeleted::topics).isEmpty();
    return isClean ? 0 : transactions.write(new SweepDeleted(limit, transactions.database()));
  }

  @Override
  public int purgeExpired(Instant now, int limit) {
    return keys().purge(now, limit);
  }

  @Override
  public long countKeys() {
    return keys().count();
  }

  /** Read when first asked for: a database that is away then may be there the next time. */
  private TakenKeys keys() {
    TakenKeys read = keys;
    return read != null ? read : readKeys();
  }

  private synchronized TakenKeys readKeys() {
    if (keys == null) {
      keys = TakenKeys.load(transactions);
    }
    return keys;
  }
}
