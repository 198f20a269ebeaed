package org.svcmailbox.web.trace;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TraceContext;

/** The span that the server has begun for a request; {@link #NONE} unless it makes spans. */
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
      };

  /** Where its children stand; null when there is no span. */
  @Nullable TraceContext context();

  /** Notes that the request hands out a message that was sent within another span. Any thread. */
  void link(TraceContext message);

  /** The span of the request whose thread this is. */
  static RequestSpan current() {
    return Tracing.IS_THERE ? OpenTelemetrySpan.current() : NONE;
  }

  /**
   * Where the messages stand that a request sends: below the server's span, else where its client's
   * headers say; null when they say nothing that can be understood. On the request's thread.
   */
  static @Nullable TraceContext contextOf(HttpServletRequest http) {
    TraceContext here = current().context();
    if (here != null) {
      return here;
    }
    String parent = http.getHeader(Tracing.PARENT);
    return parent == null ? null : TraceContext.of(parent, http.getHeader(Tracing.STATE));
  }
}
