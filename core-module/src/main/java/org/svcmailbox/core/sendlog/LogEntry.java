package org.svcmailbox.core.sendlog;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.LongStream;

/**
 * An entry of a worker's log in the broker ({@link BatchLog}): a batch's record, or a blank that
 * only makes the log longer.
 *
 * @param number counts up by one from entry to entry
 * @param batch the worker's last batch whose messages the broker has once this entry's transaction
 *     is committed
 * @param from the oldest entry that the log holds once that transaction is committed
 * @param to the newest one
 * @param pages the batch's pages, encoded; empty for a blank
 */
public record LogEntry(long number, BatchId batch, long from, long to, ByteBuffer pages) {
  /**
   * How many entries a log never falls below. Batches that follow each other at once need that many
   * until the database has the first of them.
   */
  public static final int LEAST = 64;

  /** How many blanks a new log begins with: room for a burst before the first projection. */
  public static final int SEED = 512;

  /** Bytes of an entry without its pages. */
  public static final int HEADER_BYTES = 5 * Long.BYTES;

  private static final ByteBuffer NO_PAGES = ByteBuffer.allocate(0).asReadOnlyBuffer();

  /** Checks the order. */
  public LogEntry {
    if (from < 1 || number < from || to < number) {
      throw new IllegalArgumentException("entry " + number + " of " + from + " to " + to);
    }
  }

  /** An entry without pages. */
  public static LogEntry blank(long number, BatchId batch, long from, long to) {
    return new LogEntry(number, batch, from, to, NO_PAGES);
  }

  /**
   * The entries of a new log, to be sent in one transaction.
   *
   * @param batch the worker's last one
   */
  public static List<LogEntry> seed(BatchId batch) {
    return LongStream.rangeClosed(1, SEED)
        .mapToObj(number -> blank(number, batch, 1, SEED))
        .toList();
  }

  /** Whether this is no record. */
  public boolean isBlank() {
    return !pages.hasRemaining();
  }

  /** The batch of a record of {@code worker}'s log. */
  Batch record(int worker) {
    return new Batch(worker, batch, BatchPages.decode(pages));
  }

  /** Bytes that count against the log's bound. */
  int bytes() {
    return HEADER_BYTES + pages.remaining();
  }
}
