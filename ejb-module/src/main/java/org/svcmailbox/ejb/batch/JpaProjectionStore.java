package org.svcmailbox.ejb.batch;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.BatchRefusedException;
import org.svcmailbox.core.batch.ProjectionStore;
import org.svcmailbox.core.batch.StoredKeys;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.store.SqlStates;
import org.svcmailbox.ejb.store.Transactions;

/**
 * The projection in the database. Reads select columns, so the provider tracks and caches nothing.
 * Taken keys are in memory as well, so no other process may write those of the same workers.
 */
public final class JpaProjectionStore implements ProjectionStore {
  /** Pages read in advance; each has at most the entries of one batch. */
  private static final int PAGES_AT_ONCE = 16;

  /** Pages of keys read at once. */
  private static final int LOADED_AT_ONCE = 500;

  private final Transactions transactions;

  public JpaProjectionStore(Transactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public void apply(List<Advance> advances) throws MovedException {
    ApplyBatches work = new ApplyBatches(advances, transactions.database());
    try {
      transactions.writeSql(work);
    } catch (UnavailableException e) {
      @Nullable WorkerId moved = work.moved();
      if (moved != null) {
        throw new MovedException(moved);
      }
      throw SqlStates.isRefused(e) ? new BatchRefusedException(innermost(e)) : e;
    }
  }

  private static String innermost(Throwable failure) {
    @Nullable Throwable cause = failure.getCause();
    return cause == null ? String.valueOf(failure.getMessage()) : innermost(cause);
  }

  @Override
  public BatchId applied(WorkerId worker) {
    return transactions.read(em -> AppliedBatchEntity.applied(em, worker));
  }

  @Override
  public List<WorkerId> workers() {
    return transactions.read(
        em ->
            em.createNamedQuery(AppliedBatchEntity.WORKERS, Integer.class)
                .getResultStream()
                .map(WorkerId::of)
                .toList());
  }

  @Override
  public void logsMade(Set<WorkerId> workers) {
    transactions.write(
        em -> {
          workers.forEach(worker -> AppliedBatchEntity.add(em, worker));
          return true;
        });
  }

  @Override
  public Set<Integer> unknownTopics(Set<Integer> topics) {
    return transactions.read(em -> DeletedTopicEntity.withoutKnown(em, topics));
  }

  @Override
  public void adopt(Adoption adoption) {
    transactions.write(new AdoptBatches(adoption));
  }

  @Override
  public void keyPages(WorkerId worker, KeyPages to) {
    @Nullable KeyPagePlace last = KeyPagePlace.before(worker);
    while (last != null) {
      last = keyPages(last, to);
    }
  }

  private @Nullable KeyPagePlace keyPages(KeyPagePlace behind, KeyPages to) {
    @Nullable KeyPagePlace last = null;
    for (Object[] row : transactions.read(em -> KeyPageEntity.after(em, behind, LOADED_AT_ONCE))) {
      long batchNo = (long) row[0];
      long expiresAt = (long) row[1];
      to.page(batchNo, new StoredKeys(expiresAt, (byte[]) row[2]));
      last = behind.next(batchNo, expiresAt);
    }
    return last;
  }

  @Override
  public byte[] entries(WorkerId worker, long batchNo, long expiresAt) {
    KeyPagePlace place = new KeyPagePlace(worker, batchNo, expiresAt);
    return transactions.read(em -> KeyPageEntity.at(em, place)).orElse(new byte[0]);
  }

  @Override
  public void purgeKeys(Set<WorkerId> workers, long until) {
    transactions.write(em -> KeyPageEntity.purge(em, workers, until));
  }

  @Override
  public Map<LedgerId, LedgerHead> heads() {
    return transactions.read(LedgerHeadEntity::all);
  }

  @Override
  public Map<LedgerId, LedgerHead> pageEnds() {
    return transactions.read(LedgerPageEntity::ends);
  }

  @Override
  public void putHeads(Map<LedgerId, LedgerHead> heads) {
    transactions.write(
        em -> {
          heads.forEach((ledger, head) -> LedgerHeadEntity.put(em, ledger, head));
          return true;
        });
  }

  @Override
  public long floor() {
    return transactions.read(LedgerFloorEntity::highest);
  }

  @Override
  public List<LedgerEntry> ledger(LedgerId ledger, long from, int limit) {
    List<LedgerEntry> found = new ArrayList<>();
    boolean more = true;
    while (more && found.size() < limit) {
      long next = found.isEmpty() ? from : found.get(found.size() - 1).seq() + 1;
      int before = found.size();
      transactions
          .read(em -> LedgerPageEntity.from(em, ledger, next, PAGES_AT_ONCE))
          .forEach(page -> page.stream().filter(e -> e.seq() >= next).forEach(found::add));
      more = found.size() > before;
    }
    return List.copyOf(found.subList(0, Math.min(limit, found.size())));
  }

  @Override
  public LedgerHead ledgerStart(LedgerId ledger) {
    return transactions.read(em -> LedgerStartEntity.of(em, ledger));
  }

  @Override
  public int trimLedger(LedgerId ledger, Instant before, int limit) {
    TrimLedger trim = new TrimLedger(ledger, before, limit, transactions.database());
    return transactions.read(trim::isDue) ? transactions.write(trim) : 0;
  }

  @Override
  public Optional<Instant> ledgerOldest(LedgerId ledger) {
    return transactions.read(em -> LedgerPageEntity.oldest(em, ledger, 1)).stream()
        .findFirst()
        .map(page -> page.last().msgId().createdAt());
  }

  @Override
  public long ledgerBytes() {
    return transactions.read(AppliedBatchEntity::ledgerBytes);
  }

  @Override
  public Swept sweepDeleted(int limit, Set<Integer> spared) {
    boolean isClean = transactions.read(SweepDeleted::topics).isEmpty();
    return isClean
        ? Swept.NOTHING
        : transactions.write(new SweepDeleted(limit, spared, transactions.database()));
  }
}
