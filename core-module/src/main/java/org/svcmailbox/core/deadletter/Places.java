package org.svcmailbox.core.deadletter;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Gives out places, each one behind the one before, whatever the clock does. A process begins each
 * millisecond somewhere in its first half, so that two of them hardly ever give the same. Any
 * thread.
 */
public final class Places {
  private static final int FIRST_HALF = 1 << (Place.SHIFT - 1);

  private final RandomGenerator random;
  private final AtomicLong last = new AtomicLong();

  /**
   * @param random safe for many threads
   */
  public Places(RandomGenerator random) {
    this.random = random;
  }

  /** The place of what dies now. */
  public Place next(Instant now) {
    long fresh = Place.before(now).bits() + random.nextInt(FIRST_HALF);
    return new Place(last.updateAndGet(previous -> Math.max(previous + 1, fresh)));
  }
}
