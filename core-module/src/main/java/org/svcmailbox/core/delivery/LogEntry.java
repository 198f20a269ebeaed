package org.svcmailbox.core.delivery;

import java.util.List;
import java.util.stream.LongStream;

/**
 * An entry of a worker's log of batches in the broker ({@link BatchLog}).
 *
 * @param number counts up by one from entry to entry
 * @param batch the worker's last batch whose messages the broker has once this entry's transaction
 *     is committed
 * @param from the oldest entry that the log holds once that transaction is committed
 * @param to the newest one
 */
public record LogEntry(long number, BatchId batch, long from, long to) {
  /**
   * How many entries a log holds between two transactions. Each transaction acknowledges the oldest
   * one, so it must have been delivered by then. The broker delivers an entry right after its
   * commit, so only the newest one or two can be under way; eight bridge a queue's thread that is
   * held up for a few batches. More would make each start read more, and keep journal files alive
   * for longer.
   */
  public static final int WINDOW = 8;

  /** Checks the order. */
  public LogEntry {
    if (from < 1 || number < from || to < number) {
      throw new IllegalArgumentException("entry " + number + " of " + from + " to " + to);
    }
  }

  /**
   * The entries of a new log, to be sent in one transaction.
   *
   * @param batch the worker's last one
   */
  public static List<LogEntry> seed(BatchId batch) {
    return LongStream.rangeClosed(1, WINDOW)
        .mapToObj(number -> new LogEntry(number, batch, 1, WINDOW))
        .toList();
  }
}
