package org.svcmailbox.core.batch;

import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.StoreStanding.Verdict;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;

/**
 * The registry of taken keys and of ledger heads. A worker {@link #take takes} the keys of a batch
 * and commits the batch with its record in the broker. Then it {@link #resolve resolves} the batch
 * by what its batch log contains. The {@link Projector} follows. Any thread.
 *
 * <p>A key is free, unconfirmed or confirmed. Only a confirmed key makes a SEND a duplicate.
 */
public final class SendRegistry {
  /** A batch with taken keys; only the broker knows whether it was committed. */
  private record Open(Batch batch, List<KeyPage> keys) {}

  private static final class Worker {
    private BatchId confirmed = BatchId.NONE;
    private boolean isLoaded;

    /** Only the worker changes it; {@link SendRegistry#openTopics} reads it. */
    private volatile @Nullable Open open;
  }

  private final ProjectionStore store;
  private final StoreMismatch mismatch = new StoreMismatch();
  private final ReservedKeys keys;
  private final Projector projector;
  private final Map<LedgerId, LedgerHead> heads = new ConcurrentHashMap<>();
  private final Map<WorkerId, Worker> workers = new ConcurrentHashMap<>();
  private volatile long floor;

  /**
   * @param nanos a monotonic clock
   */
  public SendRegistry(ProjectionStore store, LongSupplier nanos) {
    this.store = store;
    this.keys = new ReservedKeys(store);
    this.projector = new Projector(store, keys, nanos);
    keys.onLoss(projector::doubt);
  }

  ProjectionStore store() {
    return store;
  }

  /** Every worker whose log was made once, as far as the database knows. */
  public List<WorkerId> workers() {
    return store.workers();
  }

  /** Records that these workers have logs, so that each of them is made once. */
  public void logsMade(Set<WorkerId> made) {
    store.logsMade(made);
  }

  /** The projection of the batches confirmed here. */
  public Projector projector() {
    return projector;
  }

  /** Findings that database and broker do not belong together. */
  public StoreMismatch mismatch() {
    return mismatch;
  }

  /**
   * Brings the database up to date with all logs, then reads keys and heads. Must be called before
   * anything else.
   *
   * @param mending has already {@link StoreMending#adopt adopted} the logs' contents
   * @throws StoresRefusedException if the database refuses a batch; no message was changed
   */
  public void begin(StoreMending mending) {
    mending.standings().forEach(this::attach);
    projector.drain();
    mending.passRefused(projector);
    load(mending.standings().stream().map(StoreStanding::worker).toList());
  }

  /**
   * Begins to bring the database up to date with a worker's whole log. The worker must not take
   * keys before they are {@link #load loaded}.
   *
   * @param standing of a worker that is {@link #forget(WorkerId) forgotten} or new
   */
  void attach(StoreStanding standing) {
    BatchId position = standing.isMismatch() ? standing.last() : standing.applied();
    projector.begin(standing.worker(), standing.oldest(), position, standing.records());
    worker(standing.worker()).confirmed = standing.last();
  }

  /**
   * Reads the keys of workers, and all heads. The database must have all batches of their logs. A
   * head only rises, so the higher one counts: the database may be behind those of other workers.
   */
  void load(Collection<WorkerId> attached) {
    attached.forEach(keys::load);
    store.heads().forEach((ledger, head) -> heads.merge(ledger, head, SendRegistry::higher));
    floor = Math.max(floor, store.floor());
    attached.forEach(worker -> worker(worker).isLoaded = true);
  }

  private static LedgerHead higher(LedgerHead one, LedgerHead other) {
    return one.seq() > other.seq() ? one : other;
  }

  /** Whether all that is known of a worker's log is still here. */
  boolean isLoaded(WorkerId worker) {
    Worker known = workers.get(worker);
    return known != null && known.isLoaded;
  }

  /**
   * Forgets a worker's batches and keys, because another process may have written its log. Called
   * by the worker itself, between two batches.
   */
  void forget(WorkerId worker) {
    Worker known = workers.remove(worker);
    projector.forget(worker);
    Open open = known == null ? null : known.open;
    if (open != null) {
      keys.free(open.keys());
    }
    keys.forget(worker);
  }

  private Worker worker(WorkerId worker) {
    return workers.computeIfAbsent(worker, none -> new Worker());
  }

  /** The states of the keys that are taken; the others are free. */
  public Map<IdempotencyKey, Taken> find(Collection<IdempotencyKey> wanted, Instant now) {
    return keys.find(wanted, now);
  }

  /**
   * Takes the keys of a batch, all or none. They stay unconfirmed until {@link #resolve}.
   *
   * @param now keys that expired by then are free
   */
  public void take(Batch batch, Instant now) throws KeyTakenException {
    take(batch, now, Map.of());
  }

  /**
   * As above, for a batch that ends the messages holding some of its keys. If the broker does not
   * have the batch, {@link #resolve} returns these keys.
   *
   * @param released the live reservations of those keys; each window in the batch must end later
   */
  public void take(Batch batch, Instant now, Map<IdempotencyKey, Reservation> released)
      throws KeyTakenException {
    worker(batch.worker()).open = new Open(batch, keys.take(batch, now, released));
  }

  /**
   * Confirms the batch that a worker took last, or frees its keys.
   *
   * @param last the broker's last batch of the worker, from a whole log
   * @throws StoreMismatchException if it is neither that batch nor the one before
   */
  public void resolve(WorkerId worker, BatchId last) {
    Worker known = worker(worker);
    Open open = known.open;
    if (open != null && open.batch().id().equals(last)) {
      confirm(open);
    } else if (!last.equals(known.confirmed)) {
      throw foreign(worker, known.confirmed, last);
    } else if (open != null) {
      keys.free(open.keys());
    }
    known.confirmed = last;
    known.open = null;
  }

  private void confirm(Open open) {
    open.batch().pages().ledgers().forEach(page -> heads.put(page.ledger(), page.head()));
    open.keys().forEach(KeyPage::confirm);
    projector.add(open.batch(), open.keys());
  }

  /**
   * Requires that the broker has not lost a batch that is confirmed here, even if another process
   * wrote the log since. No process takes a batch back.
   *
   * @param last the broker's last batch of the worker, from a whole log
   * @throws StoreMismatchException if it lost one
   */
  void requireAfter(WorkerId worker, BatchId last) {
    Worker known = workers.get(worker);
    BatchId confirmed = known == null ? BatchId.NONE : known.confirmed;
    if (last.number() <= confirmed.number() && !last.equals(confirmed)) {
      throw foreign(worker, confirmed, last);
    }
  }

  private StoreMismatchException foreign(WorkerId worker, BatchId known, BatchId found) {
    String detail =
        "the broker has batch %d as the last of worker %s, not batch %d"
            .formatted(found.number(), worker, known.number());
    mismatch.found(Verdict.FOREIGN, detail);
    return new StoreMismatchException(detail);
  }

  /** The head of a ledger: its last confirmed entry, and the last number it can have given. */
  public LedgerHead head(LedgerId ledger) {
    LedgerHead head = heads.getOrDefault(ledger, LedgerHead.EMPTY);
    return head.seq() < floor ? new LedgerHead(floor, head.link()) : head;
  }

  /**
   * Frees keys whose window ended before {@code now}. Keys that were taken together may be freed
   * together.
   *
   * @param limit the number of freed keys after which to stop
   * @return how many
   */
  public int purgeExpired(Instant now, int limit) {
    return keys.purge(now, limit);
  }

  /** The number of taken keys, including expired ones. */
  public long countKeys() {
    return keys.count();
  }

  /** Topics of batches of which only the broker knows whether they were committed. */
  Set<Integer> openTopics() {
    return workers.values().stream()
        .map(worker -> worker.open)
        .filter(Objects::nonNull)
        .flatMap(open -> open.batch().pages().topics())
        .collect(Collectors.toCollection(HashSet::new));
  }

  /** Forgets the heads of deleted topics' ledgers. */
  void forget(Collection<Integer> topics) {
    heads.keySet().removeIf(ledger -> topics.contains(ledger.topicId()));
  }
}
