package org.svcmailbox.web.trace;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TraceContext;

/** The span of a request; {@link #NONE} unless the server traces. */
public interface RequestSpan {
  /** Of a request that has no span. */
  RequestSpan NONE =
      new RequestSpan() {
        @Override
        public @Nullable TraceContext context() {
          return null;
        }

        @Override
        public void link(TraceContext message) {
          // Nobody collects it.
        }

        @Override
        public void end(int status) {
          // It never began.
        }
      };

  /** Where its children stand; null when there is no span. */
  @Nullable TraceContext context();

  /** Notes that the request hands out a message that was sent within another span. Any thread. */
  void link(TraceContext message);

  /** The request was answered, with this status of HTTP. Any thread. */
  void end(int status);

  /**
   * Where the messages stand that a request sends: below its span, else where its client's headers
   * say; null when they say nothing that can be understood. On the request's thread.
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
