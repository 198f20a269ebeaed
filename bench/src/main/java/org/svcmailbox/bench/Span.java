package org.svcmailbox.bench;

/**
 * Something that lasted, on the clock of {@link System#nanoTime}, which on Linux is the same in
 * every process.
 *
 * @param what in a word or two
 */
record Span(String what, long from, long until) {
  long nanos() {
    return until - from;
  }

  double millis() {
    return nanos() / 1e6;
  }

  /** Whether both were under way at some moment. */
  boolean overlaps(Span other) {
    return from <= other.until && other.from <= until;
  }
}
