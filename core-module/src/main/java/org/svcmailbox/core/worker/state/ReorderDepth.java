package org.svcmailbox.core.worker.state;

/**
 * Measures reordering: how many later messages were delivered before a first delivery. Remembers
 * the last {@link #WINDOW} numbers and reports at most that many. One thread.
 */
final class ReorderDepth {
  /** Exceeds the usual number of leases. */
  static final int WINDOW = 1 << 15;

  private static final int WORD = Long.SIZE;

  private final long[] seen = new long[WINDOW / WORD];
  private long highest;

  /**
   * Returns how many messages with higher numbers were delivered before; 0 for a repeated delivery.
   */
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

  /** Clears the marks that leave the window. */
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
