package org.svcmailbox.ejb.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.ejb.letters.UndeliverableSorter.Sorted;

/**
 * The part of {@link Maintenance} that sorts messages that the broker gave up on. In each turn it
 * runs one transaction after the other for a bounded time. After each one it pauses for as long as
 * it took, and leaves the broker to senders.
 */
final class Sorting {
  private static final Logger LOG = System.getLogger(Sorting.class.getName());

  /** How long a turn lasts; the transaction that exceeds it is the last one. */
  static final Duration TURN = Duration.ofMillis(500);

  private final Supplier<Sorted> step;
  private final Consumer<Sorted> told;
  private final Ticker ticker;
  private final LongConsumer pause;
  private final BooleanSupplier database;

  /**
   * @param step sorts some messages in one transaction. It throws {@link UnavailableException} when
   *     the broker is away, or when a topic must be created and the database is away; the next call
   *     starts over
   * @param told receives the result of each transaction once it is on disk
   * @param pause waits for the given nanoseconds
   * @param database whether the database is up
   */
  Sorting(
      Supplier<Sorted> step,
      Consumer<Sorted> told,
      Ticker ticker,
      LongConsumer pause,
      BooleanSupplier database) {
    this.step = step;
    this.told = told;
    this.ticker = ticker;
    this.pause = pause;
    this.database = database;
  }

  /**
   * Sorts until nothing is left or the time is over. While the database is away, a message that
   * needs a new topic waits for it, with all messages behind it.
   *
   * @throws UnavailableException when the broker is away; messages sorted before stay sorted
   */
  void turn() {
    try {
      sort();
    } catch (UnavailableException e) {
      if (database.getAsBoolean()) {
        throw e;
      }
      LOG.log(Level.DEBUG, "Undeliverable messages wait for the database", e);
    }
  }

  private void sort() {
    long end = ticker.nanos() + TURN.toNanos();
    int total = 0;
    int deleted = 0;
    int revived = 0;
    boolean isUnusual = false;
    int taken = 1;
    while (taken > 0 && ticker.nanos() - end < 0) {
      long begun = ticker.nanos();
      Sorted sorted = step.get();
      told.accept(sorted);
      taken = sorted.total();
      if (taken > 0) {
        pause.accept(ticker.nanos() - begun);
      }
      total += taken;
      deleted += sorted.deleted();
      revived += sorted.revived();
      isUnusual |= sorted.isUnusual();
    }
    if (total > 0) {
      LOG.log(
          isUnusual ? Level.WARNING : Level.DEBUG,
          "Sorted {0} messages that the broker expired or gave up on; {1} ended with their deleted"
              + " topics, {2} have a new life after a lost session",
          total,
          deleted,
          revived);
    }
  }
}
