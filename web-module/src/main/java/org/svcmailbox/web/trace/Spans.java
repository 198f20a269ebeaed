package org.svcmailbox.web.trace;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.trace.CallSpan;
import org.svcmailbox.core.trace.Tracing;

/** Starts the spans of requests. */
public interface Spans {
  Spans NONE = http -> CallSpan.NONE;

  /** Begins a span as a child of the one in the request's headers. */
  CallSpan begin(HttpServletRequest http);

  /** The server's tracer, if it traces. Call it after the application has started. */
  static Spans ofServer() {
    return Tracing.isAvailable(Spans.class) ? OpenTelemetrySpans.ofServer() : NONE;
  }

  /** The span in the request's headers; null if there is none. */
  static @Nullable TraceContext sender(HttpServletRequest http) {
    String parent = http.getHeader(Tracing.PARENT);
    return parent == null ? null : TraceContext.of(parent, http.getHeader(Tracing.STATE));
  }
}
