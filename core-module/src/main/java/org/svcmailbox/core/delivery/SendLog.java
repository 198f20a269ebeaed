package org.svcmailbox.core.delivery;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * The rows beside the broker: which keys are taken, and the ledgers. Safe for many threads. Every
 * method throws {@link UnavailableException} when the database is away or the outcome is unknown.
 */
public interface SendLog {
  /**
   * The rows of one message.
   *
   * @param replacesExpired whether the key still has a row whose window is over
   */
  record Row(
      IdempotencyKey key,
      Reservation reservation,
      boolean replacesExpired,
      int topicId,
      int shard,
      LedgerEntry entry) {}

  /**
   * One worker's rows that stand and fall together.
   *
   * @param id its number is spent even when the batch is withdrawn
   */
  record Batch(int worker, BatchId id, List<Row> rows) {
    /** The most rows of a batch; never lower it, for what earlier batches had counts too. */
    public static final int MAX_ROWS = 512;

    /** The number of its id. */
    public long batchNo() {
      return id.number();
    }
  }

  /**
   * A worker's last batches in this log.
   *
   * @param last the last one that was reserved, withdrawn or not
   * @param confirmed the last one that the broker was known to have when {@code last} was reserved:
   *     the broker can have more than that, and never less
   */
  record Reserved(BatchId last, BatchId confirmed) {
    /** Of a worker that never reserved a batch. */
    public static final Reserved NOTHING = new Reserved(BatchId.NONE, BatchId.NONE);
  }

  /**
   * The taking over of what the broker has.
   *
   * @param logged the last batch that the broker has of {@code worker}
   * @param keysAfter the keys of batches with higher numbers go
   * @param skipped how many numbers no ledger gives, behind the highest of any ledger
   */
  record Adoption(int worker, BatchId logged, long keysAfter, long skipped) {}

  /**
   * A key that is taken.
   *
   * @param isConfirmed whether its message is known to be in the broker; until then its batch may
   *     be withdrawn
   */
  record Taken(Reservation reservation, boolean isConfirmed) {}

  /** A key was taken by another worker between the look and the insert; nothing was written. */
  final class KeyTakenException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * @param key the one that was taken
     */
    public KeyTakenException(IdempotencyKey key) {
      super(key + " is taken");
    }
  }

  /** Finds who took these keys, expired ones included until they are purged. */
  Map<IdempotencyKey, Taken> find(Collection<IdempotencyKey> keys);

  /**
   * Writes all rows of a batch and its number in one transaction, on disk on return. Its keys are
   * unconfirmed until {@link #confirm}.
   *
   * <p>An expiry is kept to the millisecond, rounded up.
   *
   * @throws KeyTakenException when a key has a row that {@code replacesExpired} does not announce,
   *     or one that is live, or twice the same key is given
   * @throws IllegalArgumentException when the number does not follow the worker's last
   */
  void reserve(Batch batch) throws KeyTakenException;

  /**
   * Confirms the keys of a worker's last batch if that is {@code batchNo}; otherwise does nothing.
   * In memory only: a log that is opened again counts every batch in it as confirmed.
   */
  void confirm(int worker, long batchNo);

  /**
   * The last batches of {@code worker}.
   *
   * @throws UnavailableException also while a {@link #reserve} that failed may still succeed
   */
  Reserved lastBatch(int worker);

  /**
   * Takes over what the broker has, in one transaction: afterwards the broker's last batch is the
   * worker's confirmed one, and nothing is left to withdraw. Repeating it skips more numbers.
   */
  void adopt(Adoption adoption);

  /** Every worker number that ever reserved a batch. */
  List<Integer> workers();

  /**
   * Removes the rows of the worker's last batch when that is {@code batchNo}; otherwise, or when it
   * was withdrawn before, does nothing. One transaction.
   */
  void withdraw(int worker, long batchNo);

  /** Where a shard's ledger ends: its last entry's link, and the last number it can have given. */
  LedgerHead ledgerHead(int topicId, int shard);

  /** A stretch of a ledger: entries with {@code seq >= from}, in order, at most {@code limit}. */
  List<LedgerEntry> ledger(int topicId, int shard, long from, int limit);

  /**
   * What the first entry that is kept continues: {@link LedgerHead#EMPTY} until {@link #trimLedger}
   * has removed something. A check of the ledger begins here.
   */
  LedgerHead ledgerStart(int topicId, int shard);

  /**
   * Removes the oldest entries of a ledger, in one transaction with the note of where it now
   * begins. Entries go as they were written, a batch's together, once the last of them was made
   * before {@code before}; the newest batch's stay however old they are, so that the ledger can be
   * continued and a batch in doubt be withdrawn.
   *
   * @param limit the most batches that go
   * @return how many entries went
   */
  int trimLedger(int topicId, int shard, Instant before, int limit);

  /**
   * When the last message of a ledger's oldest batch was made: {@link #trimLedger} removes nothing
   * with a {@code before} up to then. Empty when the ledger has no entry.
   */
  Optional<Instant> ledgerOldest(int topicId, int shard);

  /**
   * Bytes that all ledgers take in storage, those of deleted topics included. The transactions that
   * write and remove batches keep the sum; reading it costs the same however many there are.
   */
  long ledgerBytes();

  /**
   * Removes what is left of the ledgers of deleted topics, at most {@code limit} batches' entries,
   * in one transaction.
   *
   * @return how many batches' entries went; 0 when nothing is left
   */
  int sweepDeleted(int limit);

  /**
   * Removes keys whose window ended before {@code now}, in one transaction. Keys that were taken
   * together may go together.
   *
   * @param limit no more go once so many have gone
   * @return how many
   */
  int purgeExpired(Instant now, int limit);

  /** How many keys have a row. */
  long countKeys();
}
