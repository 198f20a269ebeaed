package org.svcmailbox.client.service;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import org.svcmailbox.client.service.StreamEnding.Next;

/**
 * How long after a stream the next one is opened. The pause is a random part of a time that doubles
 * with each stream that brought nothing. Of one thread.
 */
final class StreamPauses {
  private static final Duration FIRST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofSeconds(5);

  /** A node that drains asks all its clients to go at once. */
  private static final Duration DRAIN = Duration.ofSeconds(1);

  /** Streams in a row that never began: something between passes none on. */
  private static final int MAX_FUTILE = 2;

  private static final int MAX_DOUBLINGS = 6;

  private final DoubleSupplier random;
  private int barren;
  private int futile;

  /**
   * For a first stream.
   *
   * @param random from 0 to 1
   */
  StreamPauses(DoubleSupplier random) {
    this.random = random;
  }

  /**
   * A stream ended.
   *
   * @param isOpen whether its opening line came
   * @param isUseful whether another line came
   */
  Duration after(StreamEnding ending, boolean isOpen, boolean isUseful) {
    boolean isFutile = !isOpen && (ending == StreamEnding.CUT || ending == StreamEnding.SILENT);
    futile = isFutile ? futile + 1 : 0;
    barren = isUseful ? 0 : barren;
    if (ending.next() != Next.REOPEN_LATER) {
      return Duration.ZERO;
    }
    Duration doubled = FIRST.multipliedBy(1L << Math.min(barren++, MAX_DOUBLINGS));
    Duration least = ending == StreamEnding.DRAIN ? DRAIN : FIRST;
    Duration longest = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    Duration ceiling = longest.compareTo(least) < 0 ? least : longest;
    return Duration.ofNanos((long) (random.getAsDouble() * ceiling.toNanos()));
  }

  /** Whether another stream would be as futile as the last ones; forgets them if so. */
  boolean givesUp() {
    boolean gives = futile >= MAX_FUTILE;
    futile = gives ? 0 : futile;
    return gives;
  }
}
