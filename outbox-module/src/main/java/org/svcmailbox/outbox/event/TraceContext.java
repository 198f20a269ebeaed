package org.svcmailbox.outbox.event;

import static java.util.Objects.requireNonNull;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The trace that an event belongs to, as W3C Trace Context writes it.
 *
 * @param traceparent the header of that name
 * @param tracestate the header of that name, at most 512 characters
 */
public record TraceContext(String traceparent, @Nullable String tracestate) {
  private static final Pattern PARENT =
      Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

  private static final int MAX_STATE = 512;

  /**
   * Checks both.
   *
   * @throws OutboxException with {@link ErrorCode#INVALID_OUTBOX} if one is malformed
   */
  public TraceContext {
    requireNonNull(traceparent, "traceparent");
    if (!PARENT.matcher(traceparent).matches()) {
      throw new OutboxException(ErrorCode.INVALID_OUTBOX, "traceparent is malformed");
    }
    if (tracestate != null && tracestate.length() > MAX_STATE) {
      throw new OutboxException(
          ErrorCode.INVALID_OUTBOX, "tracestate has more than " + MAX_STATE + " characters");
    }
  }
}
