package org.svcmailbox.web.trace;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TraceContext;

/** The span of a request; {@link #NONE} unless the server traces. */
public interface RequestSpan {
  RequestSpan NONE =
      new RequestSpan() {
        @Override
        public @Nullable TraceContext context() {
          return null;
        }

        @Override
        public void link(TraceContext message) {
          // No span.
        }

        @Override
        public void end(int status) {
          // No span.
        }
      };

  /** The parent of child spans; null without a span. */
  @Nullable TraceContext context();

  /** Links the span of a delivered message's sender. Any thread. */
  void link(TraceContext message);

  /** Ends the span with an HTTP status. Any thread. */
  void end(int status);

  /**
   * The trace context of messages that a request sends: its span's, else that of the client's
   * headers, else null. Call it on the request's thread.
   */
  default @Nullable TraceContext contextOf(HttpServletRequest http) {
    TraceContext here = context();
    if (here != null) {
      return here;
    }
    String parent = http.getHeader(Tracing.PARENT);
    return parent == null ? null : TraceContext.of(parent, http.getHeader(Tracing.STATE));
  }
}
