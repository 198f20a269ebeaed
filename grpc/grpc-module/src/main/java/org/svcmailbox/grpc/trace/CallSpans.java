package org.svcmailbox.grpc.trace;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.trace.CallSpan;
import org.svcmailbox.core.trace.Tracing;

/** Starts the spans of calls. Any thread. */
@FunctionalInterface
public interface CallSpans {
  CallSpans NONE = (method, sender) -> CallSpan.NONE;

  /**
   * Begins a span.
   *
   * @param method such as {@code mailbox.v1.Mailbox/Send}
   * @param sender the client's span; null without one
   */
  CallSpan begin(String method, @Nullable TraceContext sender);

  /** The server's tracer, if it traces. Call it after the application has started. */
  static CallSpans ofServer() {
    return Tracing.isAvailable(CallSpans.class) ? OpenTelemetryCallSpans.ofServer() : NONE;
  }
}
