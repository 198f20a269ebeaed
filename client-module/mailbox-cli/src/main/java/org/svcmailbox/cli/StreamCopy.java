package org.svcmailbox.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** Copies a stream to another on a thread of its own, and remembers its last line. */
final class StreamCopy {
  /** How many bytes of a line are remembered: enough for the 1,024 characters of a reason. */
  private static final int MAX_LINE = 4096;

  private static final int MAX_REASON = 1024;

  private final InputStream from;
  private final PrintStream to;
  private final Thread thread;
  private final byte[] line = new byte[MAX_LINE];
  private int length;
  private String last = "";

  private StreamCopy(InputStream from, PrintStream to) {
    this.from = from;
    this.to = to;
    thread = new Thread(this::copy, "copy");
    thread.setDaemon(true);
  }

  static StreamCopy begin(InputStream from, PrintStream to) {
    StreamCopy copy = new StreamCopy(from, to);
    copy.thread.start();
    return copy;
  }

  private void copy() {
    byte[] buffer = new byte[MAX_LINE];
    try {
      for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
        to.write(buffer, 0, read);
        to.flush();
        remember(buffer, read);
      }
    } catch (IOException e) {
      // The process was ended. Its output up to then was copied.
      return;
    } finally {
      endLine();
    }
  }

  private synchronized void remember(byte[] bytes, int count) {
    for (int i = 0; i < count; i++) {
      if (bytes[i] == '\n') {
        endLine();
      } else if (length < MAX_LINE) {
        line[length++] = bytes[i];
      }
    }
  }

  private synchronized void endLine() {
    String text = new String(Arrays.copyOf(line, length), StandardCharsets.UTF_8).strip();
    length = 0;
    if (!text.isEmpty()) {
      last = text;
    }
  }

  /** Waits for the stream's end, which a process in the background may delay. */
  void awaitEnd(Duration atMost) throws InterruptedException {
    thread.join(atMost.toMillis());
  }

  /** The last line that is not blank, cut to the length of a reason. */
  synchronized Optional<String> lastLine() {
    int end = Math.min(last.length(), MAX_REASON);
    if (end < last.length() && Character.isHighSurrogate(last.charAt(end - 1))) {
      end--;
    }
    return last.isEmpty() ? Optional.empty() : Optional.of(last.substring(0, end));
  }
}
