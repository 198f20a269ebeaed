package org.svcmailbox.core.delivery;

/**
 * How far out of order a shard's messages were handed out: for a message that is handed out for the
 * first time, how many of those behind it had been handed out before it. Remembers the last {@link
 * #WINDOW} places; what is further behind counts as that many. One thread.
 */
final class ReorderDepth {
  /** Places remembered; more than may be under a lease unless an operator allows it. */
  static final int WINDOW = 1 << 15;

  private static final int WORD = Long.SIZE;

  private final long[] seen = new long[WINDOW / WORD];
  private long highest;

  /** A message is handed out; answers how many behind it went before, 0 if it was seen before. */
  int handedOut(long seq) {
    if (seq > highest) {
      forgetBetween(highest, seq);
      highest = seq;
      mark(seq);
      return 0;
    }
    if (highest - seq >= WINDOW) {
      return WINDOW;
    }
    if (isMarked(seq)) {
      return 0;
    }
    mark(seq);
    return marksAfter(seq);
  }

  private int marksAfter(long seq) {
    int marks = 0;
    for (long later = seq + 1; later <= highest; later++) {
      marks += isMarked(later) ? 1 : 0;
    }
    return marks;
  }

  /** The places that come into the window may bear marks of those that leave it. */
  private void forgetBetween(long before, long next) {
    long first = Math.max(before + 1, next - WINDOW);
    for (long seq = first; seq < next; seq++) {
      seen[word(seq)] &= ~bit(seq);
    }
  }

  private void mark(long seq) {
    seen[word(seq)] |= bit(seq);
  }

  private boolean isMarked(long seq) {
    return (seen[word(seq)] & bit(seq)) != 0;
  }

  private static int word(long seq) {
    return (int) (seq % WINDOW) / WORD;
  }

  private static long bit(long seq) {
    return 1L << (seq % WORD);
  }
}
