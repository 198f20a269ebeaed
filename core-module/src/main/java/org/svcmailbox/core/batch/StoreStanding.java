package org.svcmailbox.core.batch;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How one worker's batch log and the database compare at a start. Normally the database is behind,
 * but never further than the log reaches back. Any other difference means that a store was
 * replaced. Pure.
 *
 * @param applied the database's last batch
 * @param oldest the batch of the log's oldest entry
 * @param last the broker's last batch
 * @param isKnown whether the log has an entry of {@code applied}
 * @param records the batches that have records in the log, in order
 * @param lostTopics topics of batches after {@code applied} that the database does not know, so
 *     that it would give their ids to other topics
 * @param damaged entries of the log that were altered
 * @param isMissing whether the log was made once, and is not there or has no entries
 */
public record StoreStanding(
    WorkerId worker,
    BatchId applied,
    BatchId oldest,
    BatchId last,
    boolean isKnown,
    List<Batch> records,
    Set<Integer> lostTopics,
    List<DamagedEntry> damaged,
    boolean isMissing) {
  /** More numbers than another history of the same ledgers can have given. */
  static final long JUMP = 1L << 32;

  /** The results of the comparison. */
  public enum Verdict {
    /** The log continues the database's last batch. */
    AGREED,
    /** The database lacks batches that are no longer in the log, or a topic. */
    DATABASE_OLDER,
    /** The broker lacks batches that it once had. */
    BROKER_OLDER,
    /** The batches have the same numbers but are not the same. */
    FOREIGN,
    /** The log cannot tell, because entries of it are damaged. */
    LOG_DAMAGED,
    /** There is no log. */
    LOG_MISSING
  }

  /** The standing of a worker that has a log. */
  public StoreStanding(
      WorkerId worker,
      BatchId applied,
      BatchId oldest,
      BatchId last,
      boolean isKnown,
      List<Batch> records,
      Set<Integer> lostTopics,
      List<DamagedEntry> damaged) {
    this(worker, applied, oldest, last, isKnown, records, lostTopics, damaged, false);
  }

  /** The standing of a worker whose batch log is whole. */
  public static StoreStanding of(WorkerId worker, BatchLog log, SendRegistry registry) {
    StoreStanding standing = log.standing(worker, registry.store().applied(worker));
    Set<Integer> topics = topicsOf(standing.missing());
    return topics.isEmpty() ? standing : standing.lacking(registry.store().unknownTopics(topics));
  }

  /** As above, for a log that is damaged and so never whole. */
  public static StoreStanding ofDamaged(
      WorkerId worker, BatchLog log, List<DamagedEntry> damaged, SendRegistry registry) {
    return log.damagedStanding(worker, registry.store().applied(worker), damaged);
  }

  /** As above, for a log that was made once, and is not there or has no entries. */
  public static StoreStanding ofMissing(WorkerId worker, SendRegistry registry) {
    BatchId applied = registry.store().applied(worker);
    return new StoreStanding(
        worker, applied, applied, applied, false, List.of(), Set.of(), List.of(), true);
  }

  List<Batch> missing() {
    return records.stream().filter(one -> one.id().number() > applied.number()).toList();
  }

  /** The topics that the log names, including those deleted afterwards. */
  public Set<Integer> topics() {
    return topicsOf(records);
  }

  static Set<Integer> topicsOf(List<Batch> batches) {
    return batches.stream().flatMap(one -> one.pages().topics()).collect(Collectors.toSet());
  }

  /** A copy with other {@link #lostTopics}. */
  public StoreStanding lacking(Set<Integer> topics) {
    return new StoreStanding(
        worker, applied, oldest, last, isKnown, records, topics, damaged, isMissing);
  }

  /** Whether the worker's batch log is damaged. */
  public boolean isDamaged() {
    return !damaged.isEmpty();
  }

  Verdict verdict() {
    if (isMissing) {
      return Verdict.LOG_MISSING;
    }
    if (isDamaged()) {
      return Verdict.LOG_DAMAGED;
    }
    if (isKnown) {
      return lostTopics.isEmpty() ? Verdict.AGREED : Verdict.DATABASE_OLDER;
    }
    if (applied.number() > last.number()) {
      return Verdict.BROKER_OLDER;
    }
    return applied.number() < oldest.number() ? Verdict.DATABASE_OLDER : Verdict.FOREIGN;
  }

  /** Whether the broker may have lost batches. */
  public boolean isBrokerDoubtful() {
    return switch (verdict()) {
      case AGREED, DATABASE_OLDER -> false;
      case BROKER_OLDER, FOREIGN, LOG_DAMAGED, LOG_MISSING -> true;
    };
  }

  boolean isMismatch() {
    return verdict() != Verdict.AGREED;
  }

  /**
   * The change to the database that makes both agree. It frees keys whose message the broker may
   * lack, because a second message is better than none.
   */
  ProjectionStore.Adoption adoption() {
    return switch (verdict()) {
      case DATABASE_OLDER, LOG_DAMAGED ->
          new ProjectionStore.Adoption(worker, last, applied.number(), JUMP);
      case FOREIGN, LOG_MISSING -> new ProjectionStore.Adoption(worker, last, 0, JUMP);
      case BROKER_OLDER -> new ProjectionStore.Adoption(worker, last, last.number(), 0);
      case AGREED -> throw new IllegalStateException("nothing is missing: " + this);
    };
  }

  /** The mismatch, for operators; empty if there is none. */
  String detail() {
    return switch (verdict()) {
      case DATABASE_OLDER ->
          "the database is older than the broker; it lacks batches %d to %d of worker %s"
              .formatted(applied.number() + 1, last.number(), worker);
      case BROKER_OLDER ->
          "the broker is older than the database; it lacks batches %d to %d of worker %s"
              .formatted(last.number() + 1, applied.number(), worker);
      case FOREIGN ->
          "database and broker have different batches %d of worker %s"
              .formatted(applied.number(), worker);
      case LOG_DAMAGED -> damage(worker, damaged);
      case LOG_MISSING ->
          "the broker has no entries of the log of worker %s; the database has its batches up to %d"
              .formatted(worker, applied.number());
      case AGREED -> "";
    };
  }

  /** The damage of a log, for operators. */
  static String damage(WorkerId worker, List<DamagedEntry> damaged) {
    return "the log of worker %s in the broker is damaged: %s%s"
        .formatted(worker, damaged.get(0), StoreAcceptance.more(damaged));
  }

  @Override
  public String toString() {
    if (isMissing) {
      return "%s: %s without a log".formatted(worker, applied);
    }
    String stores = "%s: %s in %s to %s".formatted(worker, applied, oldest, last);
    return isDamaged() ? stores + " without " + damaged : stores;
  }
}
