package org.svcmailbox.grpc.bound;

import io.grpc.Status;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.metrics.Histogram;
import org.svcmailbox.core.trace.CallSpan;

/**
 * The duration and the span of one call, until it ends or, for a stream, until it is open. Any
 * thread.
 */
final class CallMeasure {
  private static final String STATUS = "rpc.grpc.status_code";

  /** Failures that are not the client's fault. */
  private static final Set<Status.Code> FAILURES =
      EnumSet.of(
          Status.Code.UNKNOWN,
          Status.Code.DEADLINE_EXCEEDED,
          Status.Code.UNIMPLEMENTED,
          Status.Code.INTERNAL,
          Status.Code.UNAVAILABLE,
          Status.Code.DATA_LOSS);

  private final Histogram times;
  private final long began = System.nanoTime();
  private @Nullable CallSpan span;
  private Status.@Nullable Code end;

  CallMeasure(Histogram times) {
    this.times = times;
  }

  /** Takes the span, and ends it at once if the call has ended. */
  synchronized void trace(CallSpan begun) {
    span = begun;
    endSpan();
  }

  /** Ends the measurement; idempotent. */
  synchronized void end(Status.Code code) {
    if (end == null) {
      end = code;
      times.record(System.nanoTime() - began);
      endSpan();
    }
  }

  private void endSpan() {
    CallSpan begun = span;
    Status.Code code = end;
    if (begun != null && code != null) {
      begun.end(STATUS, code.value(), FAILURES.contains(code));
    }
  }
}
