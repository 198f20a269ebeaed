package org.svcmailbox.test.history;

import java.time.Duration;

/**
 * The time of a call, in nanoseconds of the recorder's monotonic clock. The call took effect
 * somewhere in between.
 */
public record CallSpan(long invoked, long returned) {
  public CallSpan {
    if (returned < invoked) {
      throw new IllegalArgumentException(returned + " is before " + invoked);
    }
  }

  /** Whether this was over before the other began. */
  boolean before(CallSpan other) {
    return returned < other.invoked;
  }

  /** Whether the two share a moment. */
  boolean meets(CallSpan other) {
    return invoked <= other.returned && other.invoked <= returned;
  }

  /** From the start of the earlier one to the end of the later one. */
  CallSpan hull(CallSpan other) {
    return new CallSpan(Math.min(invoked, other.invoked), Math.max(returned, other.returned));
  }

  /** The earliest end of something that began in here and lasts for {@code lasting}. */
  long earliestEnd(Duration lasting) {
    return invoked + lasting.toNanos();
  }

  @Override
  public String toString() {
    return "[" + invoked / 1_000_000.0 + ".." + returned / 1_000_000.0 + " ms]";
  }
}
