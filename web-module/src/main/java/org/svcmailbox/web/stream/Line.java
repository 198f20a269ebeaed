package org.svcmailbox.web.stream;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TraceContext;

/** A line that is being written, copied part by part. One thread at a time. */
interface Line {
  /** The payload bytes of its message; 0 if it has none. Any thread. */
  int weight();

  /** The trace context of its message's sender; null if it has none. */
  @Nullable TraceContext sender();

  /** Whether it contains a message. */
  boolean isMessage();

  /** The remaining bytes, including the end of the line. */
  int left();

  /**
   * Copies as much as fits, except up to three bytes.
   *
   * @return whether nothing is left
   */
  boolean copy(ByteBuffer to);
}
