package org.svcmailbox.web.trace;

import jakarta.servlet.http.HttpServletRequest;

/** Starts the spans of requests. */
public interface Spans {
  Spans NONE = http -> RequestSpan.NONE;

  /** Begins a span as a child of the one in the headers. */
  RequestSpan begin(HttpServletRequest http);

  /** The server's tracer, if it traces. Call it after the application has started. */
  static Spans ofServer() {
    return Tracing.IS_AVAILABLE ? OpenTelemetrySpans.ofServer() : NONE;
  }
}
