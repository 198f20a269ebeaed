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
 * One worker's confirmed batches: the ones that the database has while they are in the worker's
 * batch log, and then the ones that it lacks. Guarded by the {@link Projector}.
 */
final class ProjectionLane {
  /**
   * A batch in the broker.
   *
   * @param since when it was confirmed, in nanoseconds of a monotonic clock
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
    /** It is the expected one, or a later one. */
    ON_COURSE,
    /** It lost batches, which are pending again. */
    FELL_BACK,
    /** It is not in the lane, or the database lacks topics of batches that it lost. */
    LOST,
    /** It follows all batches of the lane, so another process writes the worker's log. */
    BEYOND
  }

  private final WorkerId worker;
  private final Deque<ConfirmedBatch> applied = new ArrayDeque<>();
  private final Deque<ConfirmedBatch> pending = new ArrayDeque<>();
  private BatchId position;

  /** The batch of the log's oldest entry, which may be a blank. The lane reaches back to it. */
  private BatchId oldest;

  private final ReplayedPages replayed = new ReplayedPages();
  private long bytes;
  private Met met = Met.ON_COURSE;
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

  WorkerId worker() {
    return worker;
  }

  /** Adds the next batch. */
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
   * The last batch with a page of the ledger that the database lacks; the position if there is
   * none. If the lane is lost, the last batch of all, because nothing tells which ledgers lost
   * pages.
   */
  long lastNumber(LedgerId ledger) {
    if (isLost()) {
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

  /**
   * Whether nothing can be applied: the database's last batch is not in this lane, or it refuses a
   * batch.
   */
  boolean isBroken() {
    return isLost() || refusal != null;
  }

  boolean isDue() {
    return !isBroken() && !pending.isEmpty();
  }

  /** Whether the database's last batch is not in this lane. */
  boolean isLost() {
    return met == Met.LOST || met == Met.BEYOND;
  }

  /** Whether the database has later batches than this lane. */
  boolean isOvertaken() {
    return met == Met.BEYOND;
  }

  /** The batch that the database refuses; empty if it refuses none. */
  Optional<RefusedBatch> refused() {
    return Optional.ofNullable(refusal)
        .filter(why -> !isLost())
        .map(why -> new RefusedBatch(pending.getFirst().batch(), pending.getLast().id(), why));
  }

  /**
   * Records that the database refuses the oldest batch that it lacks; returns whether that is new.
   * Does nothing if {@code batch} is another one.
   */
  boolean refuse(BatchId batch, String why) {
    if (pending.isEmpty() || !pending.getFirst().id().equals(batch)) {
      return false;
    }
    boolean isNew = refusal == null;
    refusal = why;
    return isNew;
  }

  /** Makes the refused batch be tried again. */
  void retry() {
    isOnTrial = refusal != null && !isLost() && !pending.isEmpty();
  }

  boolean isOnTrial() {
    return isOnTrial;
  }

  /** An advance by the refused batch alone. */
  Advance trial() {
    isOnTrial = false;
    return advance(List.of(pending.getFirst().batch()));
  }

  /** When the oldest batch that the database lacks was confirmed. There must be one. */
  long since() {
    return pending.getFirst().since();
  }

  /** The batches that the database lacks, in order. */
  Iterable<ConfirmedBatch> pending() {
    return pending;
  }

  /** The advance to the last of these batches; the first must be the oldest pending one. */
  Advance advance(List<Batch> batches) {
    return new Advance(worker, position, batches);
  }

  /** Whether batches from before this process are pending. */
  boolean isReplaying() {
    return !replayed.isEmpty();
  }

  /** Whether a pending page of this lane must be in the database before {@code page}. */
  boolean hasBefore(LedgerPage page) {
    return replayed.precede(page);
  }

  /** Records that the database has the batches up to {@code last}; returns their pages of keys. */
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

  /** Records that the log no longer contains any batch before this one. */
  void release(BatchId first) {
    oldest = first;
    while (!applied.isEmpty() && applied.getFirst().id().number() < first.number()) {
      applied.removeFirst();
    }
  }

  /**
   * Compares the lane with the database's last batch.
   *
   * @param lostTopics the {@link #topicsBehind} it that the database does not know
   */
  Met meet(BatchId found, Set<Integer> lostTopics) {
    met = judge(found, lostTopics);
    if (isLost()) {
      isOnTrial = false;
    } else if (met == Met.FELL_BACK) {
      fallBackTo(found);
    }
    return met;
  }

  private Met judge(BatchId found, Set<Integer> lostTopics) {
    if (isOnCourse(found)) {
      return Met.ON_COURSE;
    }
    if (found.number() > lastNumber()) {
      return Met.BEYOND;
    }
    return reachesBackTo(found) && lostTopics.isEmpty() ? Met.FELL_BACK : Met.LOST;
  }

  private void fallBackTo(BatchId found) {
    while (!applied.isEmpty() && !applied.getLast().id().equals(found)) {
      ConfirmedBatch last = applied.removeLast();
      pending.addFirst(last);
      noteLacking(last);
    }
    forgetRefusal();
    position = found;
  }

  private void forgetRefusal() {
    refusal = null;
    isOnTrial = false;
  }

  /** Whether the database's last batch is the expected one, or a later one. */
  boolean isOnCourse(BatchId found) {
    return found.equals(position) || has(pending, found);
  }

  /** True also for no batch at all, as long as the worker's first one is here. */
  private boolean reachesBackTo(BatchId found) {
    return found.equals(oldest) || has(applied, found);
  }

  private static boolean has(Deque<ConfirmedBatch> batches, BatchId id) {
    return batches.stream().anyMatch(one -> one.id().equals(id));
  }

  /** Topics of applied batches that a database which fell back to {@code found} lacks. */
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
