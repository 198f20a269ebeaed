package org.svcmailbox.core.batch;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * The projection of the workers' batch logs in the database. Any thread. Every method throws {@link
 * UnavailableException} when the database is away; after a method that writes, the outcome is then
 * unknown.
 */
public interface ProjectionStore {
  /**
   * The next batches of one worker.
   *
   * @param from the last batch that the database has
   * @param batches those that follow, in order, at least one
   */
  record Advance(WorkerId worker, BatchId from, List<Batch> batches) {
    /** The database's last batch afterwards. */
    public BatchId to() {
      return batches.get(batches.size() - 1).id();
    }
  }

  /**
   * Adopts the broker's state after the loss of a store.
   *
   * @param last the broker's last batch of {@code worker}
   * @param keysAfter keys of batches with higher numbers are removed
   * @param skipped how many numbers above the highest of any ledger no ledger may give
   * @param given the highest number in the logs, which the database may lack
   */
  record Adoption(WorkerId worker, BatchId last, long keysAfter, long skipped, long given) {
    /** For logs without numbers. */
    public Adoption(WorkerId worker, BatchId last, long keysAfter, long skipped) {
      this(worker, last, keysAfter, skipped, /* given= */ 0);
    }

    Adoption behind(long number) {
      return new Adoption(worker, last, keysAfter, skipped, number);
    }
  }

  /**
   * The result of a sweep.
   *
   * @param batches the number of batches whose entries were removed; 0 when nothing is left
   * @param topics of which nothing is left
   */
  record Swept(int batches, List<Integer> topics) {
    public static final Swept NOTHING = new Swept(0, List.of());
  }

  /** Receives pages of keys. */
  @FunctionalInterface
  interface KeyPages {
    void page(long batchNo, StoredKeys keys);
  }

  /** The database's last batch of a worker is not the one that an {@link Advance} follows. */
  final class MovedException extends Exception {
    private static final long serialVersionUID = 1L;

    public MovedException(WorkerId worker) {
      super("the database has another last batch of worker " + worker);
    }
  }

  /**
   * Applies batches of several workers in one transaction, on disk on return.
   *
   * @param advances at most one for each worker, ordered by worker
   * @throws MovedException if an advance does not follow the database's last batch; nothing was
   *     changed
   * @throws BatchRefusedException if the database refuses a batch: its pages are there already, or
   *     begin with a number that their ledger has given; nothing was changed
   */
  void apply(List<Advance> advances) throws MovedException;

  /** The last batch of {@code worker} that the database has. */
  BatchId applied(WorkerId worker);

  /** Every worker that {@link #logsMade} named, or that has a batch in the database. */
  List<WorkerId> workers();

  /** Records that these workers have logs in the broker; no error if that is known. */
  void logsMade(Set<WorkerId> workers);

  /** The given topics that the database does not know, even as deleted ones. */
  Set<Integer> unknownTopics(Set<Integer> topics);

  /** Adopts the broker's state, in one transaction. Repeating it skips more numbers. */
  void adopt(Adoption adoption);

  /** Reads the keys of a worker, in the order of their batches. */
  void keyPages(WorkerId worker, KeyPages to);

  /** The entries of a page of keys ({@link StoredKeys}); empty if the page does not exist. */
  byte[] entries(WorkerId worker, long batchNo, long expiresAt);

  /** Removes keys of these workers that expire by {@code until}, in epoch milliseconds. */
  void purgeKeys(Set<WorkerId> workers, long until);

  /** The heads of all ledgers. */
  Map<LedgerId, LedgerHead> heads();

  /** The end of the last page of every ledger that has pages. Reads one page per ledger. */
  Map<LedgerId, LedgerHead> pageEnds();

  /** Sets the heads of ledgers, in one transaction. */
  void putHeads(Map<LedgerId, LedgerHead> heads);

  /**
   * The number that every ledger continues above, because lost batches can have had any number up
   * to it.
   */
  long floor();

  /** Part of a ledger: entries with {@code seq >= from}, in order, at most {@code limit}. */
  List<LedgerEntry> ledger(LedgerId ledger, long from, int limit);

  /**
   * The head before the first kept entry; {@link LedgerHead#EMPTY} before any {@link #trimLedger}.
   * A check of the ledger begins here.
   */
  LedgerHead ledgerStart(LedgerId ledger);

  /**
   * Removes the oldest entries of a ledger, and records in the same transaction where it now
   * begins. The entries of a batch are removed together, once the last of them was made before
   * {@code before}. The newest batch's entries stay however old they are.
   *
   * @param limit the most batches to remove
   * @return how many entries were removed
   */
  int trimLedger(LedgerId ledger, Instant before, int limit);

  /**
   * When the last message of a ledger's oldest batch was made; {@link #trimLedger} with a {@code
   * before} up to then removes nothing. Empty if the ledger has no entry.
   */
  Optional<Instant> ledgerOldest(LedgerId ledger);

  /**
   * Bytes that all ledgers take in storage, including those of deleted topics. The transactions
   * that write and remove batches maintain the sum, so the cost of reading it does not depend on
   * their number.
   */
  long ledgerBytes();

  /**
   * Removes what is left of the ledgers of deleted topics, at most {@code limit} batches' entries,
   * in one transaction.
   *
   * @param spared topics to keep for now
   */
  Swept sweepDeleted(int limit, Set<Integer> spared);
}
