package org.svcmailbox.client.sqs;

import java.time.Duration;

/** The unit of SQS' durations. */
final class Seconds {
  private static final Duration ALMOST_ONE = Duration.ofSeconds(1).minusNanos(1);

  private Seconds() {}

  /** Rounded up. */
  static int atLeast(Duration duration) {
    return Math.toIntExact(duration.plus(ALMOST_ONE).toSeconds());
  }
}
