package org.svcmailbox.core.batch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.ProjectionStore.Advance;
import org.svcmailbox.core.ledger.LedgerId;

/**
 * One worker's confirmed batches: those that the database has, as long as the worker's batch log
 * has them, and behind them those that it lacks. Guarded by the {@link Projector}.
 */
final class ProjectionLane {
  /**
   * A batch that the broker has.
   *
   * @param since when it was confirmed, nanoseconds of a monotonic clock
   * @param isReplayed whether it is from before this process
   */
  record ConfirmedBatch(Batch batch, List<KeyPage> keys, long since, boolean isReplayed) {
    private BatchId id() {
      return batch.id();
    }

    private int bytes() {
      return batch.pages().size();
    }

    private boolean has(LedgerId ledger) {
      return batch.pages().ledgers().stream().anyMatch(page -> page.ledger().equals(ledger));
    }
  }

  /** The meaning of the database's last batch for the lane. */
  enum Met {
    /** It is where it was thought to be, or further. */
    ON_COURSE,
    /** It lost batches, which are pending again. */
    FELL_BACK,
    /** It is nowhere in the lane, or lacks topics of batches that it lost. */
    LOST
  }

  private final WorkerId worker;
  private final Deque<ConfirmedBatch> applied = new ArrayDeque<>();
  private final Deque<ConfirmedBatch> pending = new ArrayDeque<>();
  private BatchId position;

  /**
   * The batch of the log's oldest entry, which may be a blank: as far back as this lane reaches.
   */
  private BatchId oldest;

  private final ReplayedPages replayed = new ReplayedPages();
  private long bytes;
  private boolean isLost;
  private boolean isOnTrial;
  private @Nullable String refusal;

  /**
   * @param oldest the batch of the log's oldest entry
   */
  ProjectionLane(WorkerId worker, BatchId oldest, BatchId position) {
    this.worker = worker;
    this.oldest = oldest;
    this.position = position;
  }

  /** Takes a batch that follows the last. */
  void add(ConfirmedBatch batch) {
    if (batch.id().number() <= position.number()) {
      applied.addLast(batch);
    } else {
      pending.addLast(batch);
      noteLacking(batch);
    }
  }

  private void noteLacking(ConfirmedBatch batch) {
    bytes += batch.bytes();
    if (batch.isReplayed()) {
      replayed.add(batch.batch());
    }
  }

  /** The last batch that the database is known to have. */
  BatchId position() {
    return position;
  }

  long lastNumber() {
    return pending.isEmpty() ? position.number() : pending.getLast().id().number();
  }

  /**
   * The last batch that the database lacks with a page of the ledger; else the position. Nothing
   * tells which ledgers lost pages to a database that fell back too far.
   */
  long lastNumber(LedgerId ledger) {
    if (isLost) {
      return lastNumber();
    }
    return pending.stream()
        .filter(one -> one.has(ledger))
        .mapToLong(one -> one.id().number())
        .reduce(position.number(), (before, number) -> number);
  }

  /** How many batches the database lacks. */
  int size() {
    return pending.size();
  }

  long bytes() {
    return bytes;
  }

  /** Whether nothing can be applied: the database is nowhere in this lane, or refuses a batch. */
  boolean isBroken() {
    return isLost || refusal != null;
  }

  boolean isDue() {
    return !isBroken() && !pending.isEmpty();
  }

  /** Whether the database fell back behind this lane. */
  boolean isLost() {
    return isLost;
  }

  /** The batch that the database refuses; empty if it refuses none. */
  Optional<RefusedBatch> refused() {
    return Optional.ofNullable(refusal)
        .filter(why -> !isLost)
        .map(why -> new RefusedBatch(pending.getFirst().batch(), pending.getLast().id(), why));
  }

  /** The database refuses the oldest batch that it lacks; returns whether that is new. */
  boolean refuse(String why) {
    boolean isNew = refusal == null;
    refusal = why;
    return isNew;
  }

  /** Has the refused batch tried again. */
  void retry() {
    isOnTrial = refusal != null && !isLost && !pending.isEmpty();
  }

  boolean isOnTrial() {
    return isOnTrial;
  }

  /** The refused batch, for another try. */
  Advance trial() {
    isOnTrial = false;
    return advance(List.of(pending.getFirst().batch()));
  }

  /** When the oldest batch was confirmed that the database lacks; there is one. */
  long since() {
    return pending.getFirst().since();
  }

  /** The batches that the database lacks, in order. */
  Iterable<ConfirmedBatch> pending() {
    return pending;
  }

  /** The step to the last of these batches, the first of which is the oldest that is pending. */
  Advance advance(List<Batch> batches) {
    return new Advance(worker, position, batches);
  }

  /** Whether batches from before this process are pending. */
  boolean isReplaying() {
    return !replayed.isEmpty();
  }

  /** Whether this lane has a pending page that must be in the database before {@code page} is. */
  boolean hasBefore(LedgerPage page) {
    return replayed.precede(page);
  }

  /** Batches up to {@code last} are in the database; returns their pages of keys. */
  List<KeyPage> applyUpTo(BatchId last) {
    List<KeyPage> keys = new ArrayList<>();
    while (!position.equals(last)) {
      ConfirmedBatch first = pending.removeFirst();
      bytes -= first.bytes();
      replayed.remove(first.batch());
      forgetRefusal();
      applied.addLast(first);
      position = first.id();
      keys.addAll(first.keys());
    }
    return keys;
  }

  /** The log has nothing left of batches before this one. */
  void release(BatchId first) {
    oldest = first;
    while (!applied.isEmpty() && applied.getFirst().id().number() < first.number()) {
      applied.removeFirst();
    }
  }

  /**
   * Learns the last batch that the database has.
   *
   * @param lostTopics those {@link #topicsBehind} it that the database does not know
   */
  Met meet(BatchId found, Set<Integer> lostTopics) {
    isLost = false;
    if (isOnCourse(found)) {
      return Met.ON_COURSE;
    }
    if (!reachesBackTo(found) || !lostTopics.isEmpty()) {
      isLost = true;
      isOnTrial = false;
      return Met.LOST;
    }
    while (!applied.isEmpty() && !applied.getLast().id().equals(found)) {
      ConfirmedBatch last = applied.removeLast();
      pending.addFirst(last);
      noteLacking(last);
    }
    forgetRefusal();
    position = found;
    return Met.FELL_BACK;
  }

  private void forgetRefusal() {
    refusal = null;
    isOnTrial = false;
  }

  /** Whether the database is where it was thought to be, or further. */
  boolean isOnCourse(BatchId found) {
    return found.equals(position) || has(pending, found);
  }

  /** Also to nothing, as long as the worker's first batch is here. */
  private boolean reachesBackTo(BatchId found) {
    return found.equals(oldest) || has(applied, found);
  }

  private static boolean has(Deque<ConfirmedBatch> batches, BatchId id) {
    return batches.stream().anyMatch(one -> one.id().equals(id));
  }

  /** Topics of applied batches that a database lacks which fell back to {@code found}. */
  Set<Integer> topicsBehind(BatchId found) {
    return !found.equals(position) && reachesBackTo(found)
        ? topics(applied.stream().filter(one -> one.id().number() > found.number()))
        : Set.of();
  }

  Set<Integer> pendingTopics() {
    return topics(pending.stream());
  }

  /** Topics of all batches. */
  Set<Integer> topics() {
    return topics(Stream.concat(applied.stream(), pending.stream()));
  }

  private static Set<Integer> topics(Stream<ConfirmedBatch> batches) {
    return batches.flatMap(one -> one.batch().pages().topics()).collect(Collectors.toSet());
  }
}
