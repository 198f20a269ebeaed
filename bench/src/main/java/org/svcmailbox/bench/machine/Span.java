package org.svcmailbox.bench.machine;

/**
 * A stretch of time on the clock of {@link System#nanoTime}, which on Linux is the same in every
 * process.
 *
 * @param what what happened, in a word or two
 */
public record Span(String what, long from, long until) {
  public long nanos() {
    return until - from;
  }

  public double millis() {
    return nanos() / 1e6;
  }

  /** Whether the two have a moment in common. */
  public boolean overlaps(Span other) {
    return from <= other.until && other.from <= until;
  }
}
