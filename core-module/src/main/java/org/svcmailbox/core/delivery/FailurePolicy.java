package org.svcmailbox.core.delivery;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.settings.TopicSettings;
import org.svcmailbox.core.supervision.Backoff;

/** Decides what follows a delivery that did not end in an ACK. */
final class FailurePolicy {
  /** What follows. */
  sealed interface Decision {}

  /** The message comes back. */
  record Redeliver(Duration delay) implements Decision {}

  /** The message has had its chances. */
  record GiveUp(DeadLetterReason reason) implements Decision {}

  private FailurePolicy() {}

  /** After a lease that ran out: back at once, or quarantined. */
  static Decision afterExpiry(int attempt, TopicSettings settings) {
    return decide(attempt, settings, Duration.ZERO);
  }

  /**
   * After a NACK: back after {@code asked} or the backoff, or quarantined.
   *
   * @param asked the delay the consumer asked for, null for the backoff
   */
  static Decision afterNack(
      int attempt, TopicSettings settings, @Nullable Duration asked, RandomGenerator random) {
    return decide(attempt, settings, asked != null ? asked : backoff(attempt, settings, random));
  }

  private static Decision decide(int attempt, TopicSettings settings, Duration delay) {
    return attempt >= settings.maxAttempts()
        ? new GiveUp(DeadLetterReason.MAX_ATTEMPTS)
        : new Redeliver(delay);
  }

  static Duration backoff(int attempt, TopicSettings settings, RandomGenerator random) {
    return new Backoff(settings.backoffBase(), settings.backoffMax()).after(attempt, random);
  }
}
