package org.svcmailbox.core.delivery;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.settings.TopicSettings;

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

  /** {@code rand(0, min(backoff_max, base * 2^attempt))}, without overflow. */
  static Duration backoff(int attempt, TopicSettings settings, RandomGenerator random) {
    long max = settings.backoffMax().toMillis();
    long base = settings.backoffBase().toMillis();
    // Past this many doublings any base of at least 1 ms is over any allowed ceiling.
    int doublings = Math.min(attempt, Long.numberOfLeadingZeros(base) - 1);
    long ceiling = Math.min(max, base << doublings);
    return Duration.ofMillis(random.nextLong(ceiling + 1));
  }
}
