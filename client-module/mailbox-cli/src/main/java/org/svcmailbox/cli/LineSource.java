package org.svcmailbox.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The lines of a stream, as bytes without the line feed. Numbers them from 1. */
final class LineSource {
  /** The longest line in bytes. */
  static final int MAX = 64 << 20;

  private static final int FIRST_SIZE = 1 << 16;

  private final InputStream in;
  private byte[] buffer = new byte[FIRST_SIZE];
  private int begin;
  private int end;
  private int scanned;
  private long consumed;
  private long number;

  LineSource(InputStream in) {
    this.in = in;
  }

  /**
   * Reads the next line.
   *
   * @return null after the last line
   * @throws UsageException if reading fails, or the line has more than {@value #MAX} bytes
   */
  byte @Nullable [] next() {
    while (!hasLineFeed()) {
      if (!fill()) {
        return begin == end ? null : take(end, end);
      }
    }
    return take(scanned, scanned + 1);
  }

  /** Whether the next line is available, so that reading it does not block. */
  boolean isReady() {
    while (!hasLineFeed() && isAvailable() && fill()) {}
    return hasLineFeed();
  }

  private boolean isAvailable() {
    try {
      return in.available() > 0;
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** The number of the line that {@link #next} returned last. */
  long number() {
    return number;
  }

  /** The bytes of all lines returned so far. */
  long consumed() {
    return consumed;
  }

  private boolean hasLineFeed() {
    while (scanned < end && buffer[scanned] != '\n') {
      scanned++;
    }
    return scanned < end;
  }

  private byte[] take(int lineEnd, int next) {
    byte[] line = Arrays.copyOfRange(buffer, begin, lineEnd);
    consumed += next - begin;
    number++;
    begin = next;
    scanned = next;
    return line;
  }

  private boolean fill() {
    if (end == buffer.length) {
      makeRoom();
    }
    try {
      int read = in.read(buffer, end, buffer.length - end);
      end += Math.max(0, read);
      return read >= 0;
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private static UsageException unreadable(IOException cause) {
    return new UsageException("the lines cannot be read: " + cause.getMessage(), cause);
  }

  private void makeRoom() {
    int kept = end - begin;
    if (kept >= MAX) {
      throw new UsageException("line " + (number + 1) + " has more than " + MAX + " bytes");
    }
    byte[] target = kept > buffer.length / 2 ? new byte[Math.min(2 * buffer.length, MAX)] : buffer;
    System.arraycopy(buffer, begin, target, 0, kept);
    buffer = target;
    scanned -= begin;
    begin = 0;
    end = kept;
  }
}
