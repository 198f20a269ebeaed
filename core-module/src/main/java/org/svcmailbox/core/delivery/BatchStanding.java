package org.svcmailbox.core.delivery;

import org.svcmailbox.core.delivery.SendLog.Adoption;
import org.svcmailbox.core.delivery.SendLog.Reserved;

/**
 * The two stores' knowledge of one worker's last batch, and the judgement of it. A crash leaves at
 * most one batch, in the database (ADR 3); any other difference means that a store was replaced
 * (ADR 31). Pure.
 *
 * @param reserved what the database has
 * @param logged the last batch that the broker has
 */
record BatchStanding(int worker, Reserved reserved, BatchId logged) {
  /** Numbers that nobody can have given in another history of the same ledgers. */
  private static final long JUMP = 1L << 32;

  /** How the stores stand to each other. */
  enum Verdict {
    /** Both have the same last batch. */
    AGREED,
    /** The database alone has the last batch: its messages were never committed. */
    IN_DOUBT,
    /** The database lacks batches of the broker. */
    DATABASE_OLDER,
    /** The broker lacks batches that it once had. */
    BROKER_OLDER,
    /** The batches have the same numbers, and are not the same. */
    FOREIGN;

    boolean isMismatch() {
      return this != AGREED && this != IN_DOUBT;
    }
  }

  Verdict verdict() {
    if (logged.equals(reserved.last())) {
      return Verdict.AGREED;
    }
    if (logged.equals(reserved.confirmed())) {
      return Verdict.IN_DOUBT;
    }
    if (logged.number() > reserved.last().number()) {
      return Verdict.DATABASE_OLDER;
    }
    return logged.number() < reserved.confirmed().number() ? Verdict.BROKER_OLDER : Verdict.FOREIGN;
  }

  /** The worker's highest batch number in either store. */
  long highest() {
    return Math.max(reserved.last().number(), logged.number());
  }

  /**
   * The change to the database that makes both agree. A key whose message the broker may lack goes:
   * a second message of it is better than none.
   */
  Adoption adoption() {
    return switch (verdict()) {
      case DATABASE_OLDER -> {
        long known = reserved.last().number();
        yield new Adoption(
            worker, logged, known, (logged.number() - known) * SendLog.Batch.MAX_ROWS);
      }
      case BROKER_OLDER -> new Adoption(worker, logged, logged.number(), 0);
      case FOREIGN -> new Adoption(worker, logged, 0, JUMP);
      case AGREED, IN_DOUBT -> throw new IllegalStateException("nothing is missing: " + this);
    };
  }

  /** The mismatch in an operator's words; empty if there is none. */
  String detail() {
    long known = reserved.last().number();
    return switch (verdict()) {
      case DATABASE_OLDER ->
          "the database is older than the broker; it lacks batches %d to %d of worker %d"
              .formatted(known + 1, logged.number(), worker);
      case BROKER_OLDER ->
          "the broker is older than the database; it lacks batches %d to %d of worker %d"
              .formatted(logged.number() + 1, reserved.confirmed().number(), worker);
      case FOREIGN ->
          "database and broker have different batches %d of worker %d"
              .formatted(logged.number(), worker);
      case AGREED, IN_DOUBT -> "";
    };
  }
}
