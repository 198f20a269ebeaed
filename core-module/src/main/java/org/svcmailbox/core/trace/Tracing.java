package org.svcmailbox.core.trace;

/** Detects the server's tracing, and names its headers. */
public final class Tracing {
  /** The header with the caller's trace and span. */
  public static final String PARENT = "traceparent";

  /** The header with the data of other tracers. */
  public static final String STATE = "tracestate";

  private Tracing() {}

  /** Whether a module can trace; the server shows it the classes only while it traces. */
  public static boolean isAvailable(Class<?> ofModule) {
    try {
      Class.forName("io.opentelemetry.api.trace.Span", false, ofModule.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
