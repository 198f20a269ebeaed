package org.svcmailbox.web.stream;

import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.web.servlet.LeasedBytes;

/**
 * The lines of a stream that are not yet being written, and whether it takes more. Any thread; its
 * lock is held for a few fields.
 */
final class Backlog {
  /** Bytes that a line has beside its payload. */
  private static final int FIELDS = 512;

  private final LeasedBytes leased;
  private final int chunk;
  private List<Line> lines = new ArrayList<>();
  private long bytes;
  private boolean isWritable;
  private boolean isEnding;
  private boolean isOver;

  /**
   * @param chunk bytes that a stream writes at once, and is given ahead
   */
  Backlog(LeasedBytes leased, int chunk) {
    this.leased = leased;
    this.chunk = chunk;
  }

  /** Whether another message may be added. */
  synchronized boolean isReady() {
    return isWritable && !isEnding && !isOver && bytes < chunk;
  }

  /** Whether all streams and answers together may hold another message. */
  boolean hasRoom() {
    return leased.hasRoom();
  }

  /** Notes whether the client takes more; returns whether to write. */
  synchronized boolean isWritable(boolean takesMore) {
    isWritable = takesMore;
    return takesMore && !isOver;
  }

  /** The first line comes before all that were added earlier. */
  synchronized void addFirst(Line line) {
    lines.add(0, line);
  }

  synchronized void add(Line line) {
    if (!isEnding && !isOver) {
      lines.add(line);
      bytes += line.weight() + FIELDS;
      leased.hold(line.weight());
    }
  }

  synchronized void addLast(Line line) {
    add(line);
    isEnding = true;
  }

  /** Whether no line comes after those that were taken. */
  synchronized boolean isEnding() {
    return isEnding && lines.isEmpty();
  }

  /** All lines, which the caller writes. */
  synchronized List<Line> take() {
    List<Line> taken = lines;
    lines = new ArrayList<>();
    bytes = 0;
    return taken;
  }

  /** A line that was taken is written, or will not be. */
  void release(Line line) {
    leased.release(line.weight());
  }

  synchronized boolean isOver() {
    return isOver;
  }

  /** Takes no more lines; returns whether it did until now. */
  synchronized boolean end() {
    boolean isFirst = !isOver;
    isOver = true;
    return isFirst;
  }
}
