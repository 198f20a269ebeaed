package org.svcmailbox.outbox.event;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.TraceHeaders;

/**
 * The trace that an event belongs to, as W3C Trace Context writes it.
 *
 * @param traceparent the header of that name
 * @param tracestate the header of that name, at most 512 characters and 32 members
 */
public record TraceContext(String traceparent, @Nullable String tracestate) {
  /**
   * Checks both.
   *
   * @throws OutboxException with {@link ErrorCode#INVALID_OUTBOX} if one is malformed
   */
  public TraceContext {
    requireNonNull(traceparent, "traceparent");
    if (!TraceHeaders.isParent(traceparent)) {
      throw new OutboxException(ErrorCode.INVALID_OUTBOX, "traceparent is malformed");
    }
    if (tracestate != null && !TraceHeaders.isState(tracestate)) {
      throw new OutboxException(
          ErrorCode.INVALID_OUTBOX,
          "tracestate is malformed or has too many characters or members");
    }
  }

  /** The trace of two external headers; null if they are malformed, which is not an error. */
  public static @Nullable TraceContext read(
      @Nullable String traceparent, @Nullable String tracestate) {
    if (traceparent == null || !TraceHeaders.isParent(traceparent)) {
      return null;
    }
    boolean isState = tracestate != null && TraceHeaders.isState(tracestate);
    return new TraceContext(traceparent, isState ? tracestate : null);
  }
}
