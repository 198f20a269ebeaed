package org.svcmailbox.core.batch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.svcmailbox.core.batch.ProjectionStore.Adoption;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;

/**
 * The changes at a start that make the database agree with the logs and with itself. A loss needs
 * an operator's acceptance. Afterwards no ledger gives a number that the database or a log has.
 */
public final class StoreMending {
  private static final Logger LOG = System.getLogger(StoreMending.class.getName());

  private final ProjectionStore store;
  private final StoreMismatch mismatch;
  private final StoreAcceptance acceptance;
  private final List<StoreStanding> standings;
  private final long given;
  private final Set<WorkerId> passed = new HashSet<>();

  /**
   * @param standings of all workers, past and present; mismatches among them are accepted
   * @param acceptance decides on damage that only the database shows
   */
  public StoreMending(
      SendRegistry registry, StoreAcceptance acceptance, List<StoreStanding> standings) {
    this.store = registry.store();
    this.mismatch = registry.mismatch();
    this.acceptance = acceptance;
    this.standings = standings;
    this.given =
        standings.stream()
            .flatMap(standing -> standing.records().stream())
            .flatMap(batch -> batch.pages().ledgers().stream())
            .mapToLong(LedgerPage::lastSeq)
            .max()
            .orElse(0);
  }

  List<StoreStanding> standings() {
    return standings;
  }

  /**
   * Sets every ledger's head to the end of its last page. A head before that loses nothing.
   *
   * @throws StoresRefusedException if pages are lost and no operator accepted that; nothing was
   *     changed
   */
  public void mendHeads() {
    Map<LedgerId, LedgerHead> heads = store.heads();
    Map<LedgerId, LedgerHead> ends = store.pageEnds();
    List<LedgerDamage> damages = LedgerDamage.of(heads, ends);
    acceptance.requireLedgers(damages);
    if (!damages.isEmpty()) {
      skipNumbers(WorkerId.of(0));
      damages.forEach(one -> mismatch.accepted(StoreMismatch.Kind.LEDGERS, one.detail()));
    }
    Map<LedgerId, LedgerHead> wrong = new HashMap<>(ends);
    wrong.entrySet().removeIf(end -> end.getValue().equals(heads.get(end.getKey())));
    if (!wrong.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "Moved the heads of ledgers to the ends of their last pages: {0}",
          wrong.keySet());
      store.putHeads(wrong);
    }
  }

  /** Makes logs and database agree where an operator has accepted a mismatch. */
  public void adopt() {
    for (StoreStanding standing : standings) {
      if (standing.isMismatch()) {
        mismatch.found(standing.verdict(), standing.detail());
        store.adopt(standing.adoption().behind(given));
      }
    }
  }

  /** Continues after batches that the database refuses. */
  void passRefused(Projector projector) {
    for (List<RefusedBatch> refused = projector.refused();
        !refused.isEmpty();
        refused = projector.refused()) {
      accept(refused);
      refused.forEach(projector::pass);
      projector.drain();
    }
  }

  /**
   * A code covers everything that a log still has, because it names the first and the last batch.
   * It covers all batches refused now, even of logs that are accepted already, because the next
   * start finds exactly these.
   */
  private void accept(List<RefusedBatch> refused) {
    List<RefusedBatch> others =
        refused.stream().filter(batch -> !passed.contains(batch.worker())).toList();
    if (!others.isEmpty()) {
      acceptance.requirePassing(refused);
    }
    for (RefusedBatch batch : others) {
      skipNumbers(batch.worker());
      mismatch.accepted(StoreMismatch.Kind.REFUSED, batch.detail());
      passed.add(batch.worker());
    }
  }

  private void skipNumbers(WorkerId worker) {
    store.adopt(
        new Adoption(
            worker,
            store.applied(worker),
            /* keysAfter= */ Long.MAX_VALUE,
            StoreStanding.JUMP,
            given));
  }
}
