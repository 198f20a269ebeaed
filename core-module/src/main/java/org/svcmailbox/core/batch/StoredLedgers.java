package org.svcmailbox.core.batch;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.problem.UnavailableException;

/** The ledgers in the database, read once it has followed the logs. Any thread. */
public final class StoredLedgers {
  /** How long a reader waits for the database to follow. */
  private static final Duration READ_PATIENCE = Duration.ofSeconds(1);

  private final ProjectionStore store;
  private final SendRegistry registry;

  public StoredLedgers(SendRegistry registry) {
    this.store = registry.store();
    this.registry = registry;
  }

  /**
   * Part of a ledger: entries with {@code seq >= from}, in order, at most {@code limit}. It
   * contains every entry whose SEND was answered before the call.
   *
   * @throws UnavailableException also when the database does not have this ledger's pages within a
   *     second
   */
  public List<LedgerEntry> entries(LedgerId ledger, long from, int limit) {
    follow(ledger);
    return store.ledger(ledger, from, limit);
  }

  /**
   * Returns when the database has every entry whose SEND this process answered before the call.
   *
   * @throws UnavailableException also when it does not within a second
   */
  public void follow(LedgerId ledger) {
    if (!registry.projector().awaitLedger(ledger, READ_PATIENCE)) {
      throw new UnavailableException("the database does not have the latest entries yet");
    }
  }

  /** As {@link SendRegistry#head}. */
  public LedgerHead head(LedgerId ledger) {
    return registry.head(ledger);
  }

  /** As {@link ProjectionStore#ledgerStart}. */
  public LedgerHead start(LedgerId ledger) {
    return store.ledgerStart(ledger);
  }

  /** As {@link ProjectionStore#trimLedger}. */
  public int trim(LedgerId ledger, Instant before, int limit) {
    return store.trimLedger(ledger, before, limit);
  }

  /** As {@link ProjectionStore#ledgerOldest}. */
  public Optional<Instant> oldest(LedgerId ledger) {
    return store.ledgerOldest(ledger);
  }

  /** As {@link ProjectionStore#ledgerBytes}. */
  public long bytes() {
    return store.ledgerBytes();
  }

  /**
   * Removes what is left of the ledgers of deleted topics, at most {@code limit} batches' entries.
   *
   * @return the number of batches whose entries were removed; 0 when nothing is left
   */
  public int sweepDeleted(int limit) {
    ProjectionStore.Swept swept = store.sweepDeleted(limit, unappliedTopics());
    if (!swept.topics().isEmpty()) {
      registry.forget(swept.topics());
    }
    return swept.batches();
  }

  /** Topics of batches that the database lacks or may lack. */
  public Set<Integer> unappliedTopics() {
    // Read before the pending ones: a batch that is confirmed in between is then among those.
    Set<Integer> topics = registry.openTopics();
    topics.addAll(registry.projector().pendingTopics());
    return topics;
  }
}
