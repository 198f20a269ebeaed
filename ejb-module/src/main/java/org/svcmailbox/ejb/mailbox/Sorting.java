package org.svcmailbox.ejb.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.svcmailbox.core.delivery.QueueWatch;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.delivery.ArtemisBroker;
import org.svcmailbox.ejb.delivery.UndeliverableSorter;
import org.svcmailbox.ejb.delivery.UndeliverableSorter.Sorted;

/**
 * The part of {@link Upkeep} that sorts what the broker gave up on: for a bounded time in each
 * turn, one transaction after the other, so that senders have the rest of it. Keeps what belongs to
 * no topic within its bound, and says how much waits.
 */
final class Sorting implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Sorting.class.getName());
  private static final Duration TURN = Duration.ofMillis(500);

  /** Messages of no topic that are removed in one turn. */
  private static final int TRIMMED = 1_000;

  private final ArtemisBroker broker;
  private final QueueWatch queues;
  private final UndeliverableSorter sorter;
  private final long mostUnsorted;

  /**
   * @param mostUnsorted messages of no topic that are kept at most; the oldest go
   */
  Sorting(ArtemisBroker broker, QueueWatch queues, long mostUnsorted) {
    this.broker = broker;
    this.queues = queues;
    this.mostUnsorted = mostUnsorted;
    this.sorter = broker.undeliverableSorter();
  }

  /**
   * Sorts what there is, or as much as there is time for.
   *
   * @throws UnavailableException when the broker is away
   */
  void turn() {
    long end = System.nanoTime() + TURN.toNanos();
    int total = 0;
    Sorted sorted;
    do {
      sorted = sorter.step();
      note(sorted);
      total += sorted.total();
    } while (sorted.total() > 0 && System.nanoTime() - end < 0);
    if (total > 0) {
      LOG.log(Level.WARNING, "The broker gave up on {0} messages, which were sorted", total);
    }
    queues.undeliverable(broker.undeliverable(), trimmed(broker.unsorted()));
  }

  private void note(Sorted sorted) {
    sorted
        .dead()
        .forEach(
            (dead, count) -> queues.brokerMoved(dead.shard(), dead.topic(), dead.reason(), count));
    queues.lettersExpired(sorted.ended());
    if (sorted.unsorted() > 0) {
      LOG.log(Level.WARNING, "{0} of them belong to no topic", sorted.unsorted());
    }
  }

  /** How many are left. */
  private long trimmed(long unsorted) {
    long tooMany = unsorted - mostUnsorted;
    if (tooMany <= 0) {
      return unsorted;
    }
    int gone = broker.removeUnsorted((int) Math.min(TRIMMED, tooMany));
    LOG.log(Level.WARNING, "Too many messages belong to no topic: the oldest {0} are gone", gone);
    queues.lettersTrimmed(gone);
    return unsorted - gone;
  }

  @Override
  public void close() {
    sorter.close();
  }
}
