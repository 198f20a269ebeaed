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
 * The projection of the workers' batch logs in the database. Safe for many threads. Every method
 * throws {@link UnavailableException} when the database is away; after one that writes, the outcome
 * is then unknown.
 */
public interface ProjectionStore {
  /**
   * The next batches of one worker.
   *
   * @param from the last one that the database has
   * @param batches those that follow, in order, at least one
   */
  record Advance(WorkerId worker, BatchId from, List<Batch> batches) {
    /** The last batch that the database has afterwards. */
    public BatchId to() {
      return batches.get(batches.size() - 1).id();
    }
  }

  /**
   * The taking over of what the broker has, after the loss of a store.
   *
   * @param last the last batch that the broker has of {@code worker}
   * @param keysAfter the keys of batches with higher numbers go
   * @param skipped how many numbers no ledger gives, behind the highest of any ledger
   * @param given the highest number that the logs tell of; the database may lack it
   */
  record Adoption(WorkerId worker, BatchId last, long keysAfter, long skipped, long given) {
    /** Of logs that tell of no number. */
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
   * @param batches whose entries went; 0 when nothing is left
   * @param topics of which nothing is left
   */
  record Swept(int batches, List<Integer> topics) {
    public static final Swept NOTHING = new Swept(0, List.of());
  }

  /** Takes pages of keys. */
  @FunctionalInterface
  interface KeyPages {
    void page(WorkerId worker, long batchNo, StoredKeys keys);
  }

  /** The database has another last batch of a worker than an {@link Advance} says. */
  final class MovedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** For this worker. */
    public MovedException(WorkerId worker) {
      super("the database has another last batch of worker " + worker);
    }
  }

  /**
   * Applies batches of several workers in one transaction, on disk on return.
   *
   * @param advances at most one for each worker, in the order of their numbers
   * @throws MovedException if the database does not have one of the batches that these follow;
   *     nothing was changed
   * @throws BatchRefusedException if the database refuses a batch: its pages are there already, or
   *     begin with a number that their ledger has given; nothing was changed
   */
  void apply(List<Advance> advances) throws MovedException;

  /** The last batch of {@code worker} that the database has. */
  BatchId applied(WorkerId worker);

  /** Every worker of which the database has a batch. */
  List<WorkerId> workers();

  /** The given topics that the database does not know, not even as deleted. */
  Set<Integer> unknownTopics(Set<Integer> topics);

  /** Takes over what the broker has, in one transaction. Repeating it skips more numbers. */
  void adopt(Adoption adoption);

  /** Reads all keys; those of a worker in the order of their batches. */
  void keyPages(KeyPages to);

  /** The entries of a page of keys ({@link StoredKeys}); none when it is not there. */
  byte[] entries(WorkerId worker, long batchNo, long expiresAt);

  /** Removes the keys that expired by {@code until}, milliseconds since 1970. */
  void purgeKeys(long until);

  /** Where every ledger ends. */
  Map<LedgerId, LedgerHead> heads();

  /**
   * Where the last page of every ledger ends that has pages. A look at one page for each ledger.
   */
  Map<LedgerId, LedgerHead> pageEnds();

  /** Sets where ledgers end, in one transaction. */
  void putHeads(Map<LedgerId, LedgerHead> heads);

  /** No ledger gives a number up to this one: batches that were lost can have had it. */
  long floor();

  /** A stretch of a ledger: entries with {@code seq >= from}, in order, at most {@code limit}. */
  List<LedgerEntry> ledger(LedgerId ledger, long from, int limit);

  /**
   * The head before the first entry that is kept; {@link LedgerHead#EMPTY} before any {@link
   * #trimLedger}. A check of the ledger begins here.
   */
  LedgerHead ledgerStart(LedgerId ledger);

  /**
   * Removes the oldest entries of a ledger, in one transaction with the note of where it now
   * begins. Entries go as they were written, a batch's together, once the last of them was made
   * before {@code before}; the newest batch's stay however old they are.
   *
   * @param limit the most batches that go
   * @return how many entries went
   */
  int trimLedger(LedgerId ledger, Instant before, int limit);

  /**
   * When the last message of a ledger's oldest batch was made: {@link #trimLedger} removes nothing
   * with a {@code before} up to then. Empty when the ledger has no entry.
   */
  Optional<Instant> ledgerOldest(LedgerId ledger);

  /**
   * Bytes that all ledgers take in storage, those of deleted topics included. The transactions that
   * write and remove batches keep the sum; reading it costs the same however many there are.
   */
  long ledgerBytes();

  /**
   * Removes what is left of the ledgers of deleted topics, at most {@code limit} batches' entries,
   * in one transaction.
   *
   * @param spared topics that stay for now
   */
  Swept sweepDeleted(int limit, Set<Integer> spared);
}
