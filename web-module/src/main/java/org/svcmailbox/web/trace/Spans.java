package org.svcmailbox.web.trace;

import jakarta.servlet.http.HttpServletRequest;

/** Where the spans of requests come from. */
public interface Spans {
  /** Of a server that does not trace. */
  Spans NONE = http -> RequestSpan.NONE;

  /** A span of a request that reaches a door, below the one that its headers name. */
  RequestSpan begin(HttpServletRequest http);

  /** Those of the server, as far as it traces. To be asked when the application has begun. */
  static Spans ofServer() {
    return Tracing.IS_AVAILABLE ? OpenTelemetrySpans.ofServer() : NONE;
  }
}
