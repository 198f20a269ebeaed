package org.svcmailbox.core.batch;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.svcmailbox.core.batch.BatchLogEntry.Kind;

/**
 * A worker's batch log in the broker, as one session sees it. It tells the broker's last batch,
 * even while the outcome of an earlier transaction is unknown, and keeps each batch's record until
 * the database has it.
 *
 * <p>The session receives and holds every entry. A batch's transaction acknowledges the oldest
 * entry and sends a new one, which states what the log then contains. So three cases can be told
 * apart:
 *
 * <ul>
 *   <li>The transaction is open. No session receives the entry that it acknowledged, so the
 *       beginning of the log is missing. {@link #isWhole} is false, whatever else has arrived.
 *   <li>It was committed. Its entry arrives, with all entries that it names.
 *   <li>It was rolled back. The acknowledged entry arrives, and so do all entries that the newest
 *       one names.
 * </ul>
 *
 * <p>Entries that have not yet arrived look like a gap, never like a whole log. Newer entries that
 * are missing cannot make up for older ones that later transactions removed. Only a whole log
 * proves the absence of a batch (ADR 48).
 *
 * <p>The log also always has an entry of the database's last batch, so that a start can tell
 * whether the two stores belong together. Owned by one thread.
 */
public final class BatchLog {
  /** Blanks that one batch adds to a short log, so that no single SEND pays for all of them. */
  private static final int MOST_BLANKS = 1;

  /**
   * The size of one worker's batch log.
   *
   * @param entries the number of entries that the log grows to
   * @param bytes the size above which the log shrinks again, to {@link BatchLogEntry#LEAST} entries
   *     at least
   */
  public record Window(int entries, long bytes) {}

  /** The distance to numbers that no earlier transaction can have given, however late it ends. */
  private static final long RENEWAL = 1L << 32;

  private final Window window;
  private final long life;
  private final NavigableMap<Long, BatchLogEntry> held = new TreeMap<>();
  private boolean whole;

  /** The number of the oldest entry; meaningless until the log is whole. */
  private long from;

  private long to;
  private long bytes;
  private BatchId lastBatch = BatchId.NONE;

  /**
   * A log of which nothing has arrived yet.
   *
   * @param life identifies this process in the entries that it appends
   */
  public BatchLog(Window window, long life) {
    this.window = window;
    this.life = life;
  }

  /**
   * Takes the entries that have arrived.
   *
   * @param source waits for entries at most the given time
   * @param nanos a monotonic clock
   * @param atMost how long to wait in all for the log to be whole and for its oldest entries
   */
  public void receive(
      Function<Duration, List<BatchLogEntry>> source, LongSupplier nanos, Duration atMost) {
    long until = nanos.getAsLong() + atMost.toNanos();
    List<BatchLogEntry> arrived;
    do {
      long left = hasOldest() ? 0 : Math.max(0, until - nanos.getAsLong());
      arrived = source.apply(Duration.ofNanos(left));
      arrived.forEach(this::add);
    } while (!arrived.isEmpty());
  }

  /** Takes an entry that has arrived. */
  public void add(BatchLogEntry entry) {
    held.put(entry.number(), entry);
    if (!whole && holdsAllOfNewest()) {
      whole = true;
      bytes = held.values().stream().mapToLong(BatchLogEntry::bytes).sum();
    }
  }

  /**
   * Whether the only missing entries are damaged ones, so that waiting brings no more.
   *
   * @param damaged how many messages in the log's queue are not entries
   */
  public boolean isWholeBut(int damaged) {
    return damaged > 0 && !whole && (held.isEmpty() || held.size() + damaged >= size());
  }

  private boolean holdsAllOfNewest() {
    BatchLogEntry newest = held.lastEntry().getValue();
    from = newest.from();
    to = newest.to();
    lastBatch = newest.batch();
    return held.size() >= size() && held.tailMap(from).size() == size();
  }

  /** Whether nothing has arrived. */
  public boolean isEmpty() {
    return held.isEmpty() && !whole;
  }

  /**
   * Whether the outcome of every earlier transaction is known. Stays true for the life of the
   * session.
   */
  public boolean isWhole() {
    return whole;
  }

  /** The last batch whose messages the broker has. */
  public BatchId lastBatch() {
    requireWhole();
    return lastBatch;
  }

  /** Whether this process wrote the newest entry, so that no other one wrote since. */
  boolean isOwn() {
    requireWhole();
    return requireNonNull(held.lastEntry()).getValue().life() == life;
  }

  private void requireWhole() {
    if (!whole) {
      throw new IllegalStateException("the log is not whole");
    }
  }

  /** Whether the two oldest entries have arrived. Without them no batch can be appended. */
  public boolean hasOldest() {
    return whole && held.containsKey(from) && held.containsKey(from + 1);
  }

  /**
   * Whether a batch can be appended now that the database has {@code applied}.
   *
   * @see #hasOldest
   */
  public boolean hasRoom(BatchId applied) {
    return whole && isSpare(from, applied);
  }

  /**
   * Whether an entry can go: the next one's batch is then the log's oldest, and it must be applied.
   */
  private boolean isSpare(long number, BatchId applied) {
    BatchLogEntry next = held.get(number + 1);
    return held.containsKey(number) && next != null && next.batch().number() <= applied.number();
  }

  /** The oldest batch that has an entry in the log. */
  public BatchId oldestBatch() {
    requireWhole();
    return requireNonNull(held.ceilingEntry(from)).getValue().batch();
  }

  /** The number of the batch that must be applied before the next one can be appended. */
  public long batchToApply() {
    BatchLogEntry next = held.get(from + 1);
    return next == null ? Long.MAX_VALUE : next.batch().number();
  }

  /** Compares this log's batches with the database's last one. */
  StoreStanding standing(WorkerId worker, BatchId applied) {
    BatchId oldest = oldestBatch();
    Collection<BatchLogEntry> all = held.tailMap(from).values();
    boolean isKnown = all.stream().anyMatch(entry -> entry.batch().equals(applied));
    List<Batch> records =
        all.stream().filter(BatchLogEntry::isRecord).map(entry -> entry.record(worker)).toList();
    return new StoreStanding(
        worker, applied, oldest, lastBatch, isKnown, records, Set.of(), List.of());
  }

  /**
   * As above, for a log that is damaged and so never whole. It proves nothing about batches that
   * the database lacks.
   */
  StoreStanding damagedStanding(WorkerId worker, BatchId applied, List<DamagedEntry> damaged) {
    BatchId last =
        held.values().stream()
            .map(BatchLogEntry::batch)
            .filter(batch -> batch.number() > applied.number())
            .reduce(applied, (before, batch) -> batch);
    return new StoreStanding(worker, applied, applied, last, true, List.of(), Set.of(), damaged);
  }

  /**
   * Replaces a damaged log. The new numbers begin beyond those of any earlier transaction, whose
   * outcome nothing tells any more.
   *
   * @param batch the worker's last one
   */
  public Change renew(BatchId batch) {
    long newest = held.isEmpty() ? 0 : held.lastKey();
    return new Change(List.copyOf(held.values()), BatchLogEntry.seed(batch, newest + RENEWAL));
  }

  /**
   * Appends a batch: its record replaces the oldest entry. A log that is too short also gets a
   * blank, and one that is too large loses further entries that can go. If the transaction with
   * this change fails, the log is unusable, like its session.
   */
  public Change append(BatchId batch, BatchPages pages, BatchId applied) {
    if (!hasRoom(applied)) {
      throw new IllegalStateException("the oldest entry must stay");
    }
    ByteBuffer record = pages.encode();
    List<BatchLogEntry> ended = new ArrayList<>();
    do {
      ended.add(removeOldest());
    } while (isTooLarge() && isSpare(from, applied));
    lastBatch = batch;
    int size = size() + 1;
    boolean isShort = size < window.entries() && bytes + record.remaining() < window.bytes();
    return new Change(ended, added(Kind.BATCH, List.of(record), isShort ? MOST_BLANKS : 0));
  }

  /**
   * Appends leases for the worker's next life, in place of the oldest entry. They count only while
   * nothing is appended after them.
   *
   * @param leases the entries' bodies, at least one
   */
  public Change handOver(List<ByteBuffer> leases, BatchId applied) {
    return replaceOldest(Kind.HANDOVER, leases, applied);
  }

  /** The bodies that {@link #handOver} appended; empty if anything was appended after them. */
  public List<ByteBuffer> handedOver() {
    requireWhole();
    List<ByteBuffer> leases = new ArrayList<>();
    for (BatchLogEntry entry : held.tailMap(from, true).descendingMap().values()) {
      if (entry.kind() != Kind.HANDOVER || entry.to() != to) {
        break;
      }
      leases.add(entry.body());
    }
    Collections.reverse(leases);
    return leases;
  }

  /** Appends this process's first entry, which also ends a handover of leases. */
  public Change open(BatchId applied) {
    return replaceOldest(Kind.OPEN, List.of(ByteBuffer.allocate(0)), applied);
  }

  private Change replaceOldest(Kind kind, List<ByteBuffer> bodies, BatchId applied) {
    if (!hasRoom(applied)) {
      throw new IllegalStateException("the oldest entry must stay");
    }
    List<BatchLogEntry> ended = List.of(removeOldest());
    return new Change(ended, added(kind, bodies, 0));
  }

  private BatchLogEntry removeOldest() {
    BatchLogEntry oldest = requireNonNull(held.remove(from));
    bytes -= oldest.bytes();
    from++;
    return oldest;
  }

  private boolean isTooLarge() {
    int size = size();
    return size >= BatchLogEntry.LEAST && (size >= window.entries() || bytes > window.bytes());
  }

  private int size() {
    return (int) (to - from + 1);
  }

  private List<BatchLogEntry> added(Kind kind, List<ByteBuffer> bodies, int blanks) {
    long first = to + 1;
    to += bodies.size() + blanks;
    List<BatchLogEntry> added = new ArrayList<>();
    for (ByteBuffer body : bodies) {
      added.add(new BatchLogEntry(kind, life, first + added.size(), lastBatch, from, to, body));
    }
    added.addAll(blanks(first + bodies.size()));
    added.forEach(entry -> bytes += entry.bytes());
    return added;
  }

  private List<BatchLogEntry> blanks(long first) {
    return LongStream.rangeClosed(first, to).mapToObj(number -> empty(Kind.BLANK, number)).toList();
  }

  private BatchLogEntry empty(Kind kind, long number) {
    return new BatchLogEntry(kind, life, number, lastBatch, from, to, ByteBuffer.allocate(0));
  }

  /**
   * Reduces the log of a removed worker to the minimum. The database must have all of its batches.
   */
  public Change shrink() {
    requireWhole();
    List<BatchLogEntry> ended = List.copyOf(held.values());
    from = to + 1;
    to = from + 1;
    return new Change(ended, blanks(from));
  }

  /** Whether {@link #shrink} has nothing to do. */
  public boolean isShort() {
    return whole && size() <= 2;
  }

  /** The entries that a transaction removes from the log and adds to it. */
  public record Change(List<BatchLogEntry> ended, List<BatchLogEntry> added) {}
}
