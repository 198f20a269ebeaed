package org.svcmailbox.client.sqs;

import java.time.Duration;

/** Converts durations to seconds, the unit of SQS. */
final class Seconds {
  private static final Duration ALMOST_ONE = Duration.ofSeconds(1).minusNanos(1);

  private Seconds() {}

  /** Rounded up. */
  static int atLeast(Duration duration) {
    return Math.toIntExact(duration.plus(ALMOST_ONE).toSeconds());
  }
}
