package org.svcmailbox.core.trace;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TraceContext;

/** The span of a call; {@link #NONE} if the server does not trace. Any thread. */
public interface CallSpan {
  CallSpan NONE =
      new CallSpan() {
        @Override
        public @Nullable TraceContext context() {
          return null;
        }

        @Override
        public void link(TraceContext message) {
          // No span.
        }

        @Override
        public void round(int messages, List<TraceContext> senders) {
          // No span.
        }

        @Override
        public void end(String attribute, long code, boolean isFailure) {
          // No span.
        }
      };

  /** The parent of child spans; null if there is no span. */
  @Nullable TraceContext context();

  /** Links the span of a delivered message's sender. */
  void link(TraceContext message);

  /**
   * Records messages that a stream sends together, in a child span of their own. Also allowed after
   * the end of this span.
   *
   * @param senders the trace contexts of messages that have one
   */
  void round(int messages, List<TraceContext> senders);

  /**
   * Ends the span.
   *
   * @param attribute the name of the status, such as {@code http.response.status_code}
   * @param isFailure whether the service failed
   */
  void end(String attribute, long code, boolean isFailure);
}
