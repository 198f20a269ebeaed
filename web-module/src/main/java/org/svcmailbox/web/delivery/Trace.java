package org.svcmailbox.web.delivery;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TraceContext;

/** Where a request stands in its client's trace. */
final class Trace {
  private Trace() {}

  /** What the headers say; null when they say nothing, or nothing that can be understood. */
  static @Nullable TraceContext of(HttpServletRequest http) {
    String parent = http.getHeader("traceparent");
    return parent == null ? null : TraceContext.of(parent, http.getHeader("tracestate"));
  }
}
