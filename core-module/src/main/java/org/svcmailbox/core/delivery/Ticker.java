package org.svcmailbox.core.delivery;

/** Monotonic time, for deadlines: it never jumps and has no meaning between processes. */
@FunctionalInterface
public interface Ticker {
  /** Nanoseconds since some fixed moment. */
  long nanos();
}
