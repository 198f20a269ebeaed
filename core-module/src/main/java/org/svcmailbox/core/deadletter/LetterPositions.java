package org.svcmailbox.core.deadletter;

import java.time.Instant;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** Allocates ascending positions; randomness keeps processes apart. Any thread. */
public final class LetterPositions {
  private static final int FIRST_HALF = 1 << (LetterPosition.SHIFT - 1);

  private final RandomGenerator random;
  private final TreeSet<LetterPosition> open = new TreeSet<>();
  private long last;

  public LetterPositions(RandomGenerator random) {
    this.random = random;
  }

  /** Makes all later positions greater than {@code newest}, which an earlier process allocated. */
  public synchronized void continueAfter(LetterPosition newest) {
    last = Math.max(last, newest.bits());
  }

  public synchronized LetterPosition next(Instant now) {
    long fresh = LetterPosition.before(now).bits() + random.nextInt(FIRST_HALF);
    last = Math.max(last + 1, fresh);
    return new LetterPosition(last);
  }

  /**
   * As {@link #next}, for the first letter of a transaction. It stays open until {@link #close}.
   */
  public synchronized LetterPosition open(Instant now) {
    LetterPosition first = next(now);
    open.add(first);
    return first;
  }

  /** Ends the transaction that was opened at this position. */
  public synchronized void close(LetterPosition first) {
    open.remove(first);
  }

  /** Whether every transaction with a letter before this position has ended. */
  public synchronized boolean isResolved(LetterPosition end) {
    return open.isEmpty() || open.first().compareTo(end) > 0;
  }
}
