package org.svcmailbox.core.batch;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.LongStream;

/**
 * An entry of a worker's batch log in the broker ({@link BatchLog}).
 *
 * @param life identifies the process that wrote it; 0 for the first entries of a log
 * @param number counts up by one from entry to entry
 * @param batch the worker's last batch in the broker once this entry's transaction is committed
 * @param from the number of the log's oldest entry once that transaction is committed
 * @param to the number of its newest entry then
 * @param body depends on the kind: a batch's pages, leases, or nothing
 */
public record BatchLogEntry(
    Kind kind, long life, long number, BatchId batch, long from, long to, ByteBuffer body) {
  /** The purposes of entries. */
  public enum Kind {
    /** A batch's record. */
    BATCH,
    /** No content; makes the log longer. */
    BLANK,
    /** The first entry of a process, which also ends a handover of leases. */
    OPEN,
    /** Leases that the next life of the worker may take over. */
    HANDOVER
  }

  /**
   * The fewest entries in a log. Batches in quick succession need that many until the database has
   * the first of them.
   */
  public static final int LEAST = 64;

  /** The blanks in a new log: room for a burst before the first projection. */
  public static final int SEED = 512;

  /** Bytes of an entry without its body. */
  public static final int HEADER_BYTES = Byte.BYTES + 6 * Long.BYTES + Integer.BYTES;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  /** Checks the order. */
  public BatchLogEntry {
    if (from < 1 || number < from || to < number) {
      throw new IllegalArgumentException("entry " + number + " of " + from + " to " + to);
    }
  }

  /** An entry without a body and without a process that wrote it. */
  public static BatchLogEntry blank(long number, BatchId batch, long from, long to) {
    return new BatchLogEntry(Kind.BLANK, 0, number, batch, from, to, NOTHING);
  }

  /**
   * The entries of a new log, for one transaction.
   *
   * @param batch the worker's last one
   */
  public static List<BatchLogEntry> seed(BatchId batch) {
    return seed(batch, 1);
  }

  /** As above, with numbers from {@code first}. */
  static List<BatchLogEntry> seed(BatchId batch, long first) {
    long last = first + SEED - 1;
    return LongStream.rangeClosed(first, last)
        .mapToObj(number -> blank(number, batch, first, last))
        .toList();
  }

  /** Whether this is a batch's record. */
  public boolean isRecord() {
    return kind == Kind.BATCH;
  }

  /** Decodes the batch of a record in {@code worker}'s log. */
  Batch record(WorkerId worker) {
    return new Batch(worker, batch, BatchPages.decode(body));
  }

  /** Bytes that count towards the log's limit. */
  int bytes() {
    return HEADER_BYTES + body.remaining();
  }
}
