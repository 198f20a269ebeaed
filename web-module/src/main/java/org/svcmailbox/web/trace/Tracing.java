package org.svcmailbox.web.trace;

/** Detects the server's tracing. */
final class Tracing {
  static final String PARENT = "traceparent";
  static final String STATE = "tracestate";

  /** The server exposes the classes to deployments only while it traces. */
  static final boolean IS_AVAILABLE = isAvailable();

  private Tracing() {}

  private static boolean isAvailable() {
    try {
      Class.forName("io.opentelemetry.api.trace.Span", false, Tracing.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
