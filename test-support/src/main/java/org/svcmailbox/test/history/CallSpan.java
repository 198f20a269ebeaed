package org.svcmailbox.test.history;

import java.time.Duration;

/**
 * When a call was under way, in nanoseconds of the recorder's monotonic clock. The call took effect
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

  /** From the beginning of the earlier to the end of the later. */
  CallSpan hull(CallSpan other) {
    return new CallSpan(Math.min(invoked, other.invoked), Math.max(returned, other.returned));
  }

  /** The earliest moment at which something that began in here and lasts so long can end. */
  long earliestEnd(Duration lasting) {
    return invoked + lasting.toNanos();
  }

  @Override
  public String toString() {
    return "[" + invoked / 1_000_000.0 + ".." + returned / 1_000_000.0 + " ms]";
  }
}
