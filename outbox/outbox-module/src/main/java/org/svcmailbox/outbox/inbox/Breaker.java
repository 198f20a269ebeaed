package org.svcmailbox.outbox.inbox;

import java.time.Duration;

/**
 * Decides from the results of messages whether all of a consumer's messages fail. After ten failed
 * messages in a row it pauses: it then tries one message at a time, so an outage of the handler
 * costs other messages no attempts. Before the first try it waits a random time of up to 1 s; the
 * limit doubles with each try, up to a minute. A message that failed before does not count again,
 * and any success ends the pause.
 *
 * @param failures messages that failed for the first time since one succeeded
 * @param bound of the time before the next try
 * @param nextTry the moment before which a paused consumer fetches nothing
 */
record Breaker(int failures, Duration bound, long nextTry) {
  static final int FAILURES = 10;
  static final Duration MIN = Duration.ofSeconds(1);
  static final Duration MAX = Duration.ofSeconds(60);

  static final Breaker CLOSED = new Breaker(0, MIN, 0);

  boolean isPaused() {
    return failures == FAILURES;
  }

  /**
   * A message failed.
   *
   * @param isFirst whether it did so for the first time
   * @param now in nanoseconds of the consumer's clock
   * @param random from 0 to 1, exclusive
   */
  Breaker failed(boolean isFirst, long now, double random) {
    if (isPaused() || !isFirst) {
      return this;
    }
    Breaker next = new Breaker(failures + 1, bound, nextTry);
    return next.isPaused() ? next.tried(now, random) : next;
  }

  /** A message is tried during the pause; its end may come late or never. */
  Breaker tried(long now, double random) {
    if (!isPaused()) {
      return this;
    }
    Duration twice = bound.multipliedBy(2);
    return new Breaker(
        failures, twice.compareTo(MAX) < 0 ? twice : MAX, now + (long) (random * bound.toNanos()));
  }

  /** How many messages may be fetched by one that has room for some. */
  int permits(int room, long now) {
    if (!isPaused()) {
      return room;
    }
    return now - nextTry >= 0 ? Math.min(room, 1) : 0;
  }
}
