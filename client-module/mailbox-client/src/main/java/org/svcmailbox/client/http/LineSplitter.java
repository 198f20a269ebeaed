package org.svcmailbox.client.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Cuts bytes into lines, and keeps an unterminated one until its end comes. Of one thread. */
final class LineSplitter {
  private static final int USUAL_BYTES = 1 << 12;

  /** A longer line's room is not kept for the next one. */
  private static final int KEPT_BYTES = 1 << 16;

  private final int max;
  private byte[] rest = new byte[USUAL_BYTES];
  private int length;

  /**
   * Starts at the beginning of a line.
   *
   * @param max the most bytes of a line
   */
  LineSplitter(int max) {
    this.max = max;
  }

  /**
   * The lines that these bytes complete, without their ends.
   *
   * @throws IOException if a line is too long; the stream is of no use then
   */
  List<byte[]> lines(List<ByteBuffer> buffers) throws IOException {
    List<byte[]> lines = new ArrayList<>();
    for (ByteBuffer buffer : buffers) {
      while (buffer.hasRemaining()) {
        int end = lineEnd(buffer);
        keep(buffer, end < 0 ? buffer.remaining() : end);
        if (end >= 0) {
          buffer.get();
          lines.add(completed());
        }
      }
    }
    return lines;
  }

  /** How many bytes are before the next end of a line; negative if there is none. */
  private static int lineEnd(ByteBuffer buffer) {
    for (int i = buffer.position(); i < buffer.limit(); i++) {
      if (buffer.get(i) == '\n') {
        return i - buffer.position();
      }
    }
    return -1;
  }

  private void keep(ByteBuffer from, int bytes) throws IOException {
    if (bytes > max - length) {
      throw new IOException("a line of the stream has more than " + max + " bytes");
    }
    if (length + bytes > rest.length) {
      rest = Arrays.copyOf(rest, Math.max(length + bytes, rest.length * 2));
    }
    from.get(rest, length, bytes);
    length += bytes;
  }

  private byte[] completed() {
    byte[] line = Arrays.copyOf(rest, length);
    length = 0;
    if (rest.length > KEPT_BYTES) {
      rest = new byte[USUAL_BYTES];
    }
    return line;
  }
}
