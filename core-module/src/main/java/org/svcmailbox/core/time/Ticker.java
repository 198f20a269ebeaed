package org.svcmailbox.core.time;

/** Monotonic time for deadlines. Readings have no meaning between processes. */
@FunctionalInterface
public interface Ticker {
  /** Nanoseconds since some fixed moment. */
  long nanos();
}
