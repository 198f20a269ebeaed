package org.svcmailbox.core.deadletter;

import java.time.Instant;

/**
 * Where a dead letter stands among all: by the millisecond in which it died, and within it in an
 * order that stays. Written as 16 lower-case hex digits.
 *
 * @param bits milliseconds since 1970, shifted by {@value #SHIFT}, and a number within them
 */
public record Place(long bits) implements Comparable<Place> {
  /** Bits of the number within a millisecond. */
  public static final int SHIFT = 20;

  /** Before every letter. */
  public static final Place FIRST = new Place(0);

  /** Behind every letter. */
  public static final Place LAST = new Place(Long.MAX_VALUE);

  private static final Instant END = Instant.ofEpochMilli(Long.MAX_VALUE >>> SHIFT);

  public Place {
    if (bits < 0) {
      throw new IllegalArgumentException("place " + bits);
    }
  }

  /** Before every letter that died at a moment or later. */
  public static Place before(Instant moment) {
    if (moment.isBefore(Instant.EPOCH)) {
      return FIRST;
    }
    return moment.isAfter(END) ? LAST : new Place(moment.toEpochMilli() << SHIFT);
  }

  /** The place right behind this one. */
  public Place next() {
    return new Place(bits + 1);
  }

  /** When the letter died, in whole milliseconds. */
  public Instant diedAt() {
    return Instant.ofEpochMilli(bits >>> SHIFT);
  }

  @Override
  public int compareTo(Place other) {
    return Long.compare(bits, other.bits);
  }
}
