package org.svcmailbox.core.delivery;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * The send log as maps: it survives a worker, not a process. Writes can be told to fail once,
 * before or after they took effect.
 */
public final class InMemorySendLog implements SendLog {
  /** Bytes of one entry in {@link #ledgerBytes}. */
  static final int ENTRY_BYTES = 80;

  private record Ledger(int topicId, int shard) {}

  private final InstantSource clock;
  private final Map<IdempotencyKey, Reservation> keys = new HashMap<>();
  private final NavigableMap<Long, Set<IdempotencyKey>> byExpiry = new TreeMap<>();
  private final Map<Ledger, NavigableMap<Long, LedgerEntry>> ledgers = new HashMap<>();
  private final Map<Ledger, LedgerHead> starts = new HashMap<>();
  private final Set<Integer> deleted = new HashSet<>();
  private final Map<Integer, Batch> lastBatches = new TreeMap<>();
  private final Map<Integer, BatchId> confirmed = new HashMap<>();
  private final Map<Integer, NavigableMap<Long, List<Row>>> reservedBy = new HashMap<>();
  private long floor;
  private final Map<IdempotencyKey, Reservation> unconfirmed = new HashMap<>();
  private Runnable afterNextFind = () -> {};
  private @Nullable Fault nextFault;
  private boolean isDeadly;

  /**
   * An empty log.
   *
   * @param clock judges whether a row may be replaced
   */
  public InMemorySendLog(InstantSource clock) {
    this.clock = clock;
  }

  /** A copy of everything that is in it. */
  public synchronized InMemorySendLog copy() {
    InMemorySendLog copy = new InMemorySendLog(clock);
    copy.replaceBy(this);
    return copy;
  }

  /** Puts a copy in the place of everything that is in it. */
  public synchronized void replaceBy(InMemorySendLog other) {
    replace(keys, other.keys);
    ledgers.clear();
    other.ledgers.forEach((ledger, entries) -> ledgers.put(ledger, new TreeMap<>(entries)));
    replace(starts, other.starts);
    deleted.clear();
    deleted.addAll(other.deleted);
    replace(lastBatches, other.lastBatches);
    replace(confirmed, other.confirmed);
    replace(unconfirmed, other.unconfirmed);
    reservedBy.clear();
    other.reservedBy.forEach((worker, batches) -> reservedBy.put(worker, new TreeMap<>(batches)));
    floor = other.floor;
  }

  private static <K, V> void replace(Map<K, V> content, Map<K, V> by) {
    content.clear();
    content.putAll(by);
  }

  /** Makes the next {@link #reserve} or {@link #withdraw} throw {@link UnavailableException}. */
  public synchronized void failNext(Fault fault) {
    nextFault = fault;
    isDeadly = false;
  }

  /** Makes the next write throw an error, of which a worker dies. */
  public synchronized void dieNext(Fault fault) {
    nextFault = fault;
    isDeadly = true;
  }

  /** Runs this between the next look at keys and what the worker makes of it. */
  public synchronized void afterNextFind(Runnable run) {
    afterNextFind = run;
  }

  @Override
  public synchronized Map<IdempotencyKey, Taken> find(Collection<IdempotencyKey> wanted) {
    Map<IdempotencyKey, Taken> found = new HashMap<>();
    for (IdempotencyKey key : wanted) {
      Reservation taken = keys.get(key);
      if (taken != null) {
        found.put(key, new Taken(taken, !taken.equals(unconfirmed.get(key))));
      }
    }
    Runnable meanwhile = afterNextFind;
    afterNextFind = () -> {};
    meanwhile.run();
    return found;
  }

  @Override
  public synchronized void confirm(int worker, long batchNo) {
    Batch last = lastBatches.get(worker);
    if (last != null && last.batchNo() == batchNo) {
      last.rows().forEach(row -> unconfirmed.remove(row.key(), row.reservation()));
    }
  }

  @Override
  public synchronized void reserve(Batch batch) throws KeyTakenException {
    failIf(Fault.BEFORE);
    checkRising(batch);
    checkKeys(batch.rows());
    checkLedgers(batch.rows());
    batch.rows().forEach(this::write);
    noteConfirmed(batch.worker());
    lastBatches.put(batch.worker(), batch);
    reservedBy
        .computeIfAbsent(batch.worker(), none -> new TreeMap<>())
        .put(batch.batchNo(), batch.rows());
    failIf(Fault.AFTER);
  }

  private void noteConfirmed(int worker) {
    Batch last = lastBatches.get(worker);
    if (last != null && !last.rows().isEmpty()) {
      confirmed.put(worker, last.id());
    }
  }

  private void checkRising(Batch batch) {
    Batch last = lastBatches.get(batch.worker());
    if (last != null && batch.batchNo() <= last.batchNo()) {
      throw new IllegalArgumentException(
          "batch " + batch.batchNo() + " does not follow " + last.batchNo());
    }
  }

  private void checkKeys(List<Row> rows) throws KeyTakenException {
    Set<IdempotencyKey> seen = new HashSet<>();
    for (Row row : rows) {
      if (!seen.add(row.key()) || !isFree(row)) {
        throw new KeyTakenException(row.key());
      }
    }
  }

  private boolean isFree(Row row) {
    Reservation taken = keys.get(row.key());
    return taken == null || (row.replacesExpired() && !taken.isLive(clock.instant()));
  }

  private void checkLedgers(List<Row> rows) {
    for (Row row : rows) {
      if (entries(row.topicId(), row.shard()).containsKey(row.entry().seq())) {
        throw new UnavailableException("The ledger has an entry " + row.entry().seq() + " already");
      }
    }
  }

  private void write(Row row) {
    Reservation before = keys.put(row.key(), row.reservation());
    unconfirmed.put(row.key(), row.reservation());
    if (before != null) {
      forgetExpiry(row.key(), before);
    }
    byExpiry.computeIfAbsent(expiry(row.reservation()), none -> new HashSet<>()).add(row.key());
    entries(row.topicId(), row.shard()).put(row.entry().seq(), row.entry());
  }

  @Override
  public synchronized Reserved lastBatch(int worker) {
    Batch last = lastBatches.get(worker);
    return last == null
        ? Reserved.NOTHING
        : new Reserved(last.id(), confirmed.getOrDefault(worker, BatchId.NONE));
  }

  @Override
  public synchronized void adopt(Adoption adoption) {
    failIf(Fault.BEFORE);
    int worker = adoption.worker();
    if (adoption.skipped() > 0) {
      long highest =
          ledgers.values().stream()
              .filter(entries -> !entries.isEmpty())
              .mapToLong(NavigableMap::lastKey)
              .max()
              .orElse(0);
      floor = Math.max(floor, highest) + adoption.skipped();
    }
    reservedBy
        .getOrDefault(worker, new TreeMap<>())
        .tailMap(adoption.keysAfter(), false)
        .values()
        .forEach(rows -> rows.forEach(this::forget));
    BatchId last = lastBatch(worker).last();
    BatchId highest = last.number() < adoption.logged().number() ? adoption.logged() : last;
    lastBatches.put(worker, new Batch(worker, highest, List.of()));
    confirmed.put(worker, adoption.logged());
    failIf(Fault.AFTER);
  }

  @Override
  public synchronized List<Integer> workers() {
    return List.copyOf(lastBatches.keySet());
  }

  @Override
  public synchronized void withdraw(int worker, long batchNo) {
    failIf(Fault.BEFORE);
    Batch last = lastBatches.get(worker);
    if (last != null && last.batchNo() == batchNo) {
      last.rows().forEach(this::remove);
      lastBatches.put(worker, new Batch(worker, last.id(), List.of()));
    }
    failIf(Fault.AFTER);
  }

  private void remove(Row row) {
    forget(row);
    entries(row.topicId(), row.shard()).remove(row.entry().seq(), row.entry());
  }

  private void forget(Row row) {
    unconfirmed.remove(row.key(), row.reservation());
    if (keys.remove(row.key(), row.reservation())) {
      forgetExpiry(row.key(), row.reservation());
    }
  }

  private void forgetExpiry(IdempotencyKey key, Reservation reservation) {
    byExpiry.getOrDefault(expiry(reservation), new HashSet<>()).remove(key);
  }

  /** Milliseconds since 1970, rounded so that no window becomes shorter. */
  private static long expiry(Reservation reservation) {
    return reservation.expiresAt().plusNanos(999_999).toEpochMilli();
  }

  @Override
  public synchronized LedgerHead ledgerHead(int topicId, int shard) {
    Map.Entry<Long, LedgerEntry> last = entries(topicId, shard).lastEntry();
    LedgerHead head = last == null ? LedgerHead.EMPTY : LedgerHead.after(last.getValue());
    return new LedgerHead(Math.max(floor, head.seq()), head.link());
  }

  @Override
  public synchronized List<LedgerEntry> ledger(int topicId, int shard, long from, int limit) {
    return entries(topicId, shard).tailMap(from, true).values().stream().limit(limit).toList();
  }

  /** Here those that expire in the same millisecond count as taken together. */
  @Override
  public synchronized int purgeExpired(Instant now, int limit) {
    int purged = 0;
    while (purged < limit && !byExpiry.isEmpty() && byExpiry.firstKey() < now.toEpochMilli()) {
      Map.Entry<Long, Set<IdempotencyKey>> together = byExpiry.pollFirstEntry();
      for (IdempotencyKey key : together.getValue()) {
        unconfirmed.remove(key);
        purged += keys.remove(key) == null ? 0 : 1;
      }
    }
    return purged;
  }

  @Override
  public synchronized long countKeys() {
    return keys.size();
  }

  @Override
  public synchronized LedgerHead ledgerStart(int topicId, int shard) {
    return starts.getOrDefault(new Ledger(topicId, shard), LedgerHead.EMPTY);
  }

  /** Here every entry counts as a batch. */
  @Override
  public synchronized int trimLedger(int topicId, int shard, Instant before, int limit) {
    NavigableMap<Long, LedgerEntry> entries = entries(topicId, shard);
    int trimmed = 0;
    while (trimmed < limit && entries.size() > 1) {
      LedgerEntry oldest = entries.firstEntry().getValue();
      if (!oldest.msgId().createdAt().isBefore(before)) {
        break;
      }
      entries.pollFirstEntry();
      starts.put(new Ledger(topicId, shard), LedgerHead.after(oldest));
      trimmed++;
    }
    return trimmed;
  }

  @Override
  public synchronized Optional<Instant> ledgerOldest(int topicId, int shard) {
    return Optional.ofNullable(entries(topicId, shard).firstEntry())
        .map(oldest -> oldest.getValue().msgId().createdAt());
  }

  @Override
  public synchronized long ledgerBytes() {
    return ENTRY_BYTES * ledgers.values().stream().mapToLong(Map::size).sum();
  }

  @Override
  public synchronized int sweepDeleted(int limit) {
    int swept = 0;
    for (Ledger ledger : List.copyOf(ledgers.keySet())) {
      NavigableMap<Long, LedgerEntry> entries = entries(ledger.topicId(), ledger.shard());
      while (deleted.contains(ledger.topicId()) && swept < limit && !entries.isEmpty()) {
        entries.pollFirstEntry();
        swept++;
      }
    }
    if (swept < limit) {
      starts.keySet().removeIf(ledger -> deleted.contains(ledger.topicId()));
      deleted.clear();
    }
    return swept;
  }

  /** Marks a topic's ledgers, as its deletion does. */
  public synchronized void deleteTopic(int topicId) {
    deleted.add(topicId);
  }

  private NavigableMap<Long, LedgerEntry> entries(int topicId, int shard) {
    return ledgers.computeIfAbsent(new Ledger(topicId, shard), ledger -> new TreeMap<>());
  }

  private void failIf(Fault fault) {
    if (nextFault == fault) {
      nextFault = null;
      if (isDeadly) {
        throw new OutOfMemoryError("on request, " + fault);
      }
      throw new UnavailableException("told to fail " + fault);
    }
  }
}
