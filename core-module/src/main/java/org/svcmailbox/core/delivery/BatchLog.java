package org.svcmailbox.core.delivery;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * A worker's log of batches in the broker, as one session sees it: it tells which batch the broker
 * has last, even while the outcome of an earlier transaction is open.
 *
 * <p>The session receives every entry and holds it. A batch's transaction acknowledges the oldest
 * entry and sends a new one, which says what the log then holds. So three things can be told apart:
 *
 * <ul>
 *   <li>The transaction is open. No session receives the entry that it acknowledged, so the log has
 *       a hole at its beginning. {@link #isWhole} is false, whatever else has arrived.
 *   <li>It was committed. Its entry arrives, and all that this entry names.
 *   <li>It was rolled back. The acknowledged entry arrives, and so all that the newest one names.
 * </ul>
 *
 * <p>Entries that are still under way look like a hole, and never like a whole log: what is missing
 * behind an entry cannot make up for the entries before it that later transactions removed. The
 * absence of a batch is never concluded from anything but a whole log (ADR 48).
 *
 * <p>Owned by one thread.
 */
final class BatchLog {
  private final NavigableMap<Long, LogEntry> held = new TreeMap<>();
  private boolean whole;

  /** The oldest entry of the log; meaningless until it is whole. */
  private long from;

  private long to;
  private BatchId lastBatch = BatchId.NONE;

  /**
   * Takes what has arrived.
   *
   * @param source {@link BrokerSession#receiveLog}
   * @param atMost how long to wait in all, until the log is whole and the oldest entry here
   */
  void receive(Function<Duration, List<LogEntry>> source, Ticker ticker, Duration atMost) {
    long until = ticker.nanos() + atMost.toNanos();
    List<LogEntry> arrived;
    do {
      long left = hasOldest() ? 0 : Math.max(0, until - ticker.nanos());
      arrived = source.apply(Duration.ofNanos(left));
      arrived.forEach(this::add);
    } while (!arrived.isEmpty());
  }

  /** Takes an entry that has arrived. */
  void add(LogEntry entry) {
    held.put(entry.number(), entry);
    whole = whole || holdsAllOfNewest();
  }

  private boolean holdsAllOfNewest() {
    LogEntry newest = held.lastEntry().getValue();
    from = newest.from();
    to = newest.to();
    lastBatch = newest.batch();
    return LongStream.rangeClosed(from, to).allMatch(held::containsKey);
  }

  /**
   * Whether the outcome of every earlier transaction is known. Stays so for the life of the
   * session.
   */
  boolean isWhole() {
    return whole;
  }

  /** The last batch whose messages the broker had when the log became whole. */
  BatchId lastBatch() {
    if (!whole) {
      throw new IllegalStateException("the log is not whole");
    }
    return lastBatch;
  }

  /** Whether the oldest entry is here, without which no batch can be appended. */
  boolean hasOldest() {
    return whole && held.containsKey(from);
  }

  /**
   * Appends a batch: its entry in the place of the oldest one, and blanks while the log is shorter
   * than {@link LogEntry#WINDOW}. When the transaction that {@link Change#stage stages} it fails,
   * this log is as useless as its session.
   */
  Change append(BatchId batch) {
    if (!hasOldest()) {
      throw new IllegalStateException("the oldest entry is not here");
    }
    List<LogEntry> ended = new ArrayList<>();
    do {
      ended.add(requireNonNull(held.remove(from)));
      from++;
    } while (to - from + 1 >= LogEntry.WINDOW && hasOldest());
    long first = to + 1;
    to = Math.max(first, from + LogEntry.WINDOW - 1);
    return new Change(
        ended,
        LongStream.rangeClosed(first, to)
            .mapToObj(number -> new LogEntry(number, batch, from, to))
            .toList());
  }

  /** The change that a batch's transaction makes to the log. */
  record Change(List<LogEntry> ended, List<LogEntry> added) {
    void stage(BrokerSession session) {
      ended.forEach(session::acknowledgeLog);
      added.forEach(session::appendLog);
    }
  }
}
