package org.svcmailbox.web.stream;

import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.svcmailbox.core.trace.CallSpan;

/** Lines that are being written, as chunks. One thread at a time. */
final class Chunks {
  private final Backlog backlog;
  private final int chunk;
  private final CallSpan span;
  private final Deque<Line> lines = new ArrayDeque<>();
  private boolean isUnflushed;

  /**
   * @param chunk the most bytes of one write
   */
  Chunks(Backlog backlog, int chunk, CallSpan span) {
    this.backlog = backlog;
    this.chunk = chunk;
    this.span = span;
  }

  /**
   * Writes or flushes once.
   *
   * @param output must be ready, and asked by this thread
   * @return false if there was nothing to do
   */
  boolean write(ServletOutputStream output) throws IOException {
    List<Line> taken = backlog.take();
    note(taken);
    lines.addAll(taken);
    if (!lines.isEmpty()) {
      isUnflushed = true;
      writeChunk(output);
      return true;
    }
    boolean isFlushed = isUnflushed;
    if (isUnflushed) {
      isUnflushed = false;
      output.flush();
    }
    return isFlushed;
  }

  private void note(List<Line> taken) {
    int messages = (int) taken.stream().filter(Line::isMessage).count();
    if (messages > 0) {
      span.round(messages, taken.stream().map(Line::sender).filter(Objects::nonNull).toList());
    }
  }

  private void writeChunk(ServletOutputStream output) throws IOException {
    byte[] bytes = new byte[length()];
    try {
      output.write(bytes, 0, fill(ByteBuffer.wrap(bytes)));
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  private int fill(ByteBuffer to) {
    while (!lines.isEmpty() && lines.element().copy(to)) {
      backlog.release(lines.remove());
    }
    return to.position();
  }

  private int length() {
    int length = 0;
    for (Line line : lines) {
      length += line.left();
      if (length >= chunk) {
        return chunk;
      }
    }
    return length;
  }

  /** Discards all lines. */
  void discard() {
    lines.addAll(backlog.take());
    lines.forEach(backlog::release);
    lines.clear();
  }
}
