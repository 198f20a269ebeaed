package org.svcmailbox.web.stream;

import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.web.servlet.LeasedBytes;

/**
 * The lines of a stream that wait to be written, and whether the stream accepts more. Any thread;
 * no call holds the lock for long.
 */
final class Backlog {
  /** The bytes counted for a line besides its payload. */
  private static final int FIELDS = 512;

  private final LeasedBytes leased;
  private final int chunk;
  private List<Line> lines = new ArrayList<>();
  private long bytes;
  private boolean isWritable;
  private boolean isEnding;
  private boolean isOver;

  /**
   * @param chunk the size of a stream's write, and of the lines that it gets ahead, in bytes
   */
  Backlog(LeasedBytes leased, int chunk) {
    this.leased = leased;
    this.chunk = chunk;
  }

  /** Whether another message may be added. */
  synchronized boolean isReady() {
    return isWritable && !isEnding && !isOver && bytes < chunk;
  }

  /** Whether all lines were taken. */
  synchronized boolean isEmpty() {
    return lines.isEmpty();
  }

  /** Whether the bound of all streams and answers leaves room for another message. */
  boolean hasRoom() {
    return leased.hasRoom();
  }

  /** Records whether the client accepts more; returns whether to write. */
  synchronized boolean isWritable(boolean takesMore) {
    isWritable = takesMore;
    return takesMore && !isOver;
  }

  /** Adds a line before all others. */
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

  /** Whether no lines follow the ones that were taken. */
  synchronized boolean isEnding() {
    return isEnding && lines.isEmpty();
  }

  /** Removes all lines, which the caller must write. */
  synchronized List<Line> take() {
    List<Line> taken = lines;
    lines = new ArrayList<>();
    bytes = 0;
    return taken;
  }

  /** Releases the bytes of a line that was written or never will be. */
  void release(Line line) {
    leased.release(line.weight());
  }

  synchronized boolean isOver() {
    return isOver;
  }

  /** Refuses lines from now on; returns whether it accepted them until now. */
  synchronized boolean end() {
    boolean isFirst = !isOver;
    isOver = true;
    return isFirst;
  }
}
