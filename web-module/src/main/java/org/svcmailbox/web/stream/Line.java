package org.svcmailbox.web.stream;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TraceContext;

/** A line of a stream on its way, copied out part by part. One thread at a time. */
interface Line {
  /** The payload bytes of its message; 0 without one. Any thread. */
  int weight();

  /** The trace of its message's sender; null without one. */
  @Nullable TraceContext sender();

  /** Whether it is a message's. */
  boolean isMessage();

  /** The bytes that are left, its end included. */
  int left();

  /**
   * Copies what fits, but for up to three bytes.
   *
   * @return whether nothing is left
   */
  boolean copy(ByteBuffer to);
}
