package org.svcmailbox.web.trace;

/** What the server has for tracing. */
public final class Tracing {
  static final String PARENT = "traceparent";
  static final String STATE = "tracestate";

  /** The server shows the classes to its deployments only while it traces. */
  static final boolean IS_THERE = isThere();

  private Tracing() {}

  /**
   * A thread has done its part of a request. The server leaves the span of a suspended request with
   * the thread that began it: the next request there would seem to be a part of this one.
   */
  public static void leave() {
    if (IS_THERE) {
      OpenTelemetrySpan.leave();
    }
  }

  private static boolean isThere() {
    try {
      Class.forName("io.opentelemetry.api.trace.Span", false, Tracing.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
