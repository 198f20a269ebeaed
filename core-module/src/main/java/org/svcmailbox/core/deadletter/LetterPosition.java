package org.svcmailbox.core.deadletter;

import java.time.Instant;

/**
 * The position of a dead letter among all letters: the millisecond of its death, and a number
 * within that.
 */
public record LetterPosition(long bits) implements Comparable<LetterPosition> {
  public static final int SHIFT = 20;

  public static final LetterPosition FIRST = new LetterPosition(0);

  public static final LetterPosition LAST = new LetterPosition(Long.MAX_VALUE);

  private static final Instant END = Instant.ofEpochMilli(Long.MAX_VALUE >>> SHIFT);

  public LetterPosition {
    if (bits < 0) {
      throw new IllegalArgumentException("place " + bits);
    }
  }

  public static LetterPosition before(Instant moment) {
    if (moment.isBefore(Instant.EPOCH)) {
      return FIRST;
    }
    return moment.isAfter(END) ? LAST : new LetterPosition(moment.toEpochMilli() << SHIFT);
  }

  public LetterPosition next() {
    return new LetterPosition(bits + 1);
  }

  public Instant diedAt() {
    return Instant.ofEpochMilli(bits >>> SHIFT);
  }

  @Override
  public int compareTo(LetterPosition other) {
    return Long.compare(bits, other.bits);
  }
}
