package org.svcmailbox.core.batch;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How one worker's batch log and the database stand to each other at a start. The database is
 * behind as a rule, never further than the log reaches back; any other difference means that a
 * store was replaced. Pure.
 *
 * @param applied the last batch that the database has
 * @param oldest the batch of the log's oldest entry
 * @param last the last batch that the broker has
 * @param isKnown whether the log has an entry of {@code applied}
 * @param records the batches that the log has records of, in order
 * @param lostTopics topics of batches behind {@code applied} that the database does not know: their
 *     ids will be given to other topics
 * @param damaged entries of the log that are no longer what was written
 */
public record StoreStanding(
    WorkerId worker,
    BatchId applied,
    BatchId oldest,
    BatchId last,
    boolean isKnown,
    List<Batch> records,
    Set<Integer> lostTopics,
    List<DamagedEntry> damaged) {
  /** Numbers that nobody can have given in another history of the same ledgers. */
  static final long JUMP = 1L << 32;

  /** How the stores stand to each other. */
  public enum Verdict {
    /** The log continues what the database has. */
    AGREED,
    /** The database lacks batches that the log does not have any more, or a topic. */
    DATABASE_OLDER,
    /** The broker lacks batches that it once had. */
    BROKER_OLDER,
    /** The batches have the same numbers, and are not the same. */
    FOREIGN,
    /** The log cannot tell: entries of it are damaged. */
    LOG_DAMAGED
  }

  /** The standing of a worker's batch log, which is whole, to the database. */
  public static StoreStanding of(WorkerId worker, BatchLog log, SendRegistry registry) {
    StoreStanding standing = log.standing(worker, registry.store().applied(worker));
    Set<Integer> topics = topicsOf(standing.missing());
    return topics.isEmpty() ? standing : standing.lacking(registry.store().unknownTopics(topics));
  }

  /** As above, of a log that damage keeps from being whole. */
  public static StoreStanding ofDamaged(
      WorkerId worker, BatchLog log, List<DamagedEntry> damaged, SendRegistry registry) {
    return log.damagedStanding(worker, registry.store().applied(worker), damaged);
  }

  List<Batch> missing() {
    return records.stream().filter(one -> one.id().number() > applied.number()).toList();
  }

  /** The topics that the log names, also those that are deleted since. */
  public Set<Integer> topics() {
    return topicsOf(records);
  }

  static Set<Integer> topicsOf(List<Batch> batches) {
    return batches.stream().flatMap(one -> one.pages().topics()).collect(Collectors.toSet());
  }

  /** The same with other {@link #lostTopics}. */
  public StoreStanding lacking(Set<Integer> topics) {
    return new StoreStanding(worker, applied, oldest, last, isKnown, records, topics, damaged);
  }

  /** Whether the worker's batch log is damaged. */
  public boolean isDamaged() {
    return !damaged.isEmpty();
  }

  Verdict verdict() {
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
      case BROKER_OLDER, FOREIGN, LOG_DAMAGED -> true;
    };
  }

  boolean isMismatch() {
    return verdict() != Verdict.AGREED;
  }

  /**
   * The change to the database that makes both agree. A key whose message the broker may lack goes:
   * a second message of it is better than none.
   */
  ProjectionStore.Adoption adoption() {
    return switch (verdict()) {
      case DATABASE_OLDER, LOG_DAMAGED ->
          new ProjectionStore.Adoption(worker, last, applied.number(), JUMP);
      case FOREIGN -> new ProjectionStore.Adoption(worker, last, 0, JUMP);
      case BROKER_OLDER -> new ProjectionStore.Adoption(worker, last, last.number(), 0);
      case AGREED -> throw new IllegalStateException("nothing is missing: " + this);
    };
  }

  /** The mismatch in an operator's words; empty if there is none. */
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
      case AGREED -> "";
    };
  }

  /** The damage of a log in an operator's words. */
  static String damage(WorkerId worker, List<DamagedEntry> damaged) {
    return "the log of worker %s in the broker is damaged: %s%s"
        .formatted(worker, damaged.get(0), StoreAcceptance.more(damaged));
  }

  @Override
  public String toString() {
    String stores = "%s: %s in %s to %s".formatted(worker, applied, oldest, last);
    return isDamaged() ? stores + " without " + damaged : stores;
  }
}
