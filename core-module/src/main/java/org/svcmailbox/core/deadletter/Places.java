package org.svcmailbox.core.deadletter;

import java.time.Instant;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * Gives out places, each one behind the one before, whatever the clock does. A process begins each
 * millisecond somewhere in its first half, so that two of them hardly ever give the same. Any
 * thread.
 */
public final class Places {
  private static final int FIRST_HALF = 1 << (Place.SHIFT - 1);

  private final RandomGenerator random;
  private final TreeSet<Place> open = new TreeSet<>();
  private long last;

  /** Those behind every one that is given out before. */
  public Places(RandomGenerator random) {
    this.random = random;
  }

  /** Has every further place be behind this one, which an earlier process gave out. */
  public synchronized void startBehind(Place given) {
    last = Math.max(last, given.bits());
  }

  /** The place of what dies now. */
  public synchronized Place next(Instant now) {
    long fresh = Place.before(now).bits() + random.nextInt(FIRST_HALF);
    last = Math.max(last + 1, fresh);
    return new Place(last);
  }

  /** As {@link #next}, for the first letter of a transaction, which is under way until it ends. */
  public synchronized Place open(Instant now) {
    Place first = next(now);
    open.add(first);
    return first;
  }

  /** The transaction whose first letter has this place is over. */
  public synchronized void close(Place first) {
    open.remove(first);
  }

  /** Whether every transaction that put a letter in front of this place is over. */
  public synchronized boolean isSettled(Place end) {
    return open.isEmpty() || open.first().compareTo(end) > 0;
  }
}
