package org.svcmailbox.core.sendlog;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.sendlog.LogStanding.Verdict;

/**
 * The send log of all workers. A worker {@link #take takes} the keys of a batch, commits the batch
 * with its record in the broker, and {@link #settle settles} it by what its log then has. The
 * database follows. Safe for many threads.
 *
 * <p>A key is free, unconfirmed or confirmed. Only a confirmed key is a duplicate.
 */
public final class SendLog {
  /** How long a reader of a ledger waits for the database to follow. */
  private static final Duration READ_PATIENCE = Duration.ofSeconds(1);

  /** A batch whose keys are taken, and of which only the broker knows whether it has it. */
  private record Open(Batch batch, List<KeyPage> keys) {}

  /** A wait for the projector; answers whether that for which it waited has come. */
  @FunctionalInterface
  private interface Wait {
    boolean isOver() throws InterruptedException;
  }

  private static final class Worker {
    private BatchId confirmed = BatchId.NONE;

    /** Only the worker changes it; {@link SendLog#unsettledTopics} reads it. */
    private volatile @Nullable Open open;
  }

  private final SendLogStore store;
  private final StoreMismatch mismatch = new StoreMismatch();
  private final ReservedKeys keys;
  private final Projector projector;
  private final Map<LedgerId, LedgerHead> heads = new ConcurrentHashMap<>();
  private final Map<Integer, Worker> workers = new ConcurrentHashMap<>();
  private volatile long floor;

  /**
   * @param nanos a monotonic clock
   */
  public SendLog(SendLogStore store, LongSupplier nanos) {
    this.store = store;
    this.keys = new ReservedKeys(store);
    this.projector = new Projector(store, keys, nanos);
    keys.onLoss(projector::doubt);
  }

  /** Every worker of which the database has a batch. */
  public List<Integer> workers() {
    return store.workers();
  }

  /** How a worker's log, which is whole, and the database stand to each other. */
  public LogStanding standing(int worker, BatchLog log) {
    LogStanding standing = log.standing(worker, store.applied(worker));
    Set<Integer> topics = LogStanding.topicsOf(standing.missing());
    return topics.isEmpty() ? standing : standing.lacking(store.unknownTopics(topics));
  }

  /** As above, of a log that damage keeps from being whole. */
  public LogStanding damagedStanding(int worker, BatchLog log, List<DamagedEntry> damaged) {
    return log.damagedStanding(worker, store.applied(worker), damaged);
  }

  /** A running worker's log is damaged, so nothing tells which batch the broker has last. */
  public StoreMismatchException damaged(int worker, List<DamagedEntry> damaged) {
    String detail = LogStanding.damage(worker, damaged);
    mismatch.found(Verdict.LOG_DAMAGED, detail);
    return new StoreMismatchException(detail);
  }

  /**
   * The changes to the database that a start needs.
   *
   * @param standings of every worker that there ever was; mismatches among them are accepted
   * @param acceptance judges damage that only the database shows
   */
  public StoreMending mending(List<LogStanding> standings, StoreAcceptance acceptance) {
    return new StoreMending(store, mismatch, acceptance, standings);
  }

  /**
   * Begins: brings the database up to date with all logs, then reads keys and heads. Nothing is
   * asked of this log before.
   *
   * @param mending has {@link StoreMending#adopt adopted} what the logs have
   * @throws StoresRefusedException if the database refuses a batch; no message was changed
   */
  public void begin(StoreMending mending) {
    for (LogStanding standing : mending.standings()) {
      BatchId position = standing.isMismatch() ? standing.last() : standing.applied();
      projector.begin(standing.worker(), standing.oldest(), position, standing.records());
      worker(standing.worker()).confirmed = standing.last();
    }
    projector.drain();
    mending.passRefused(projector);
    keys.load();
    heads.putAll(store.heads());
    floor = store.floor();
  }

  private Worker worker(int worker) {
    return workers.computeIfAbsent(worker, none -> new Worker());
  }

  /** The states of those keys that are taken; the others are free. */
  public Map<IdempotencyKey, Taken> find(Collection<IdempotencyKey> wanted, Instant now) {
    return keys.find(wanted, now);
  }

  /**
   * Takes the keys of a batch, all or none. They stay unconfirmed until {@link #settle}.
   *
   * @param now keys that expired by then are free
   */
  public void take(Batch batch, Instant now) throws KeyTakenException {
    take(batch, now, Map.of());
  }

  /**
   * The same for a batch that ends the messages which hold some of its keys. If the broker does not
   * have the batch, {@link #settle} gives these keys back.
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
   * @param last the worker's last batch that the broker has, of a log that is whole
   * @throws StoreMismatchException if it is neither that batch nor the one before
   */
  public void settle(int worker, BatchId last) {
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

  private StoreMismatchException foreign(int worker, BatchId known, BatchId found) {
    String detail =
        "the broker has batch %d as the last of worker %d, not batch %d"
            .formatted(found.number(), worker, known.number());
    mismatch.found(Verdict.FOREIGN, detail);
    return new StoreMismatchException(detail);
  }

  /** Where a ledger ends: its last confirmed entry, and the last number it can have given. */
  public LedgerHead head(LedgerId ledger) {
    LedgerHead head = heads.getOrDefault(ledger, LedgerHead.EMPTY);
    return head.seq() < floor ? new LedgerHead(floor, head.link()) : head;
  }

  /** The last batch of a worker that the database is known to have. */
  public BatchId applied(int worker) {
    return projector.applied(worker);
  }

  /** Bytes of a worker's batches that the database does not have. */
  public long pendingBytes(int worker) {
    return projector.pendingBytes(worker);
  }

  /** A worker's log has nothing left of batches before {@code oldest}. */
  public void release(int worker, BatchId oldest) {
    projector.release(worker, oldest);
  }

  /** Has the database catch up at once, and waits until it has a worker's batch. */
  public boolean awaitApplied(int worker, long batchNo, Duration atMost) {
    return isAwaited(() -> projector.await(atMost, worker, batchNo));
  }

  /**
   * Projects what is due. For one thread at a time.
   *
   * @return nanoseconds until there is more to do
   */
  public long project() {
    return projector.step();
  }

  /** Projects all that there is; for one thread at a time. */
  public void projectAll() {
    projector.drain();
  }

  /** Has {@code wake} called when {@link #project} has more to do than it said. */
  public void onWork(Runnable wake) {
    projector.onWork(wake);
  }

  /** As {@link Projector#onDoubt}, once the topics are known. */
  public void onDoubt(Consumer<Set<Integer>> restore) {
    projector.onDoubt(restore);
  }

  /** The database may have fallen back: has the projection look. */
  public void doubt() {
    projector.doubt();
  }

  /** The reason, for operators, why the database does not follow the logs; empty if it does. */
  public String projectionTrouble() {
    return projector.trouble();
  }

  /** Findings that database and broker do not belong together. */
  public StoreMismatch mismatch() {
    return mismatch;
  }

  /** How far the database is behind. */
  public List<Metric> metrics() {
    return projector.metrics();
  }

  /**
   * A stretch of a ledger: entries with {@code seq >= from}, in order, at most {@code limit}. Has
   * everything that was answered before the call.
   *
   * @throws UnavailableException also when the database does not get this ledger's pages within a
   *     second
   */
  public List<LedgerEntry> ledger(LedgerId ledger, long from, int limit) {
    if (!isAwaited(() -> projector.await(READ_PATIENCE, ledger))) {
      throw new UnavailableException("the database does not have the latest entries yet");
    }
    return store.ledger(ledger, from, limit);
  }

  /**
   * Waits until the database has every batch answered before the call, except batches that it
   * refuses or cannot follow.
   */
  public boolean awaitProjection(Duration atMost) {
    return isAwaited(() -> projector.await(atMost));
  }

  private static boolean isAwaited(Wait wait) {
    try {
      return wait.isOver();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** As {@link SendLogStore#ledgerStart}. */
  public LedgerHead ledgerStart(LedgerId ledger) {
    return store.ledgerStart(ledger);
  }

  /** As {@link SendLogStore#trimLedger}. */
  public int trimLedger(LedgerId ledger, Instant before, int limit) {
    return store.trimLedger(ledger, before, limit);
  }

  /** As {@link SendLogStore#ledgerOldest}. */
  public Optional<Instant> ledgerOldest(LedgerId ledger) {
    return store.ledgerOldest(ledger);
  }

  /** As {@link SendLogStore#ledgerBytes}. */
  public long ledgerBytes() {
    return store.ledgerBytes();
  }

  /**
   * Removes what is left of the ledgers of deleted topics, at most {@code limit} batches' entries.
   *
   * @return how many batches' entries went; 0 when nothing is left
   */
  public int sweepDeleted(int limit) {
    SendLogStore.Swept swept = store.sweepDeleted(limit, unsettledTopics());
    if (!swept.topics().isEmpty()) {
      heads.keySet().removeIf(ledger -> swept.topics().contains(ledger.topicId()));
    }
    return swept.batches();
  }

  /** Topics of batches that the database lacks, or may lack. */
  private Set<Integer> unsettledTopics() {
    // Before the pending ones: a batch that is confirmed in between is then among those.
    Set<Integer> topics =
        workers.values().stream()
            .map(worker -> worker.open)
            .filter(Objects::nonNull)
            .flatMap(open -> open.batch().pages().topics())
            .collect(Collectors.toCollection(HashSet::new));
    topics.addAll(projector.pendingTopics());
    return topics;
  }

  /**
   * Frees keys whose window ended before {@code now}; those that were taken together may go
   * together.
   *
   * @param limit no more go once so many have gone
   * @return how many
   */
  public int purgeExpired(Instant now, int limit) {
    return keys.purge(now, limit);
  }

  /** How many keys are taken, those that have expired included. */
  public long countKeys() {
    return keys.count();
  }
}
