package org.svcmailbox.core.worker.settle;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.settings.TopicSettings;
import org.svcmailbox.core.supervision.Backoff;

/** Decides what follows a delivery without an ACK. */
final class FailurePolicy {
  sealed interface Decision {}

  record Redeliver(Duration delay) implements Decision {}

  record GiveUp(DeadLetterReason reason) implements Decision {}

  private FailurePolicy() {}

  /** Redelivers at once, or gives up. */
  static Decision afterExpiry(int attempt, TopicSettings settings) {
    return decide(attempt, settings, Duration.ZERO);
  }

  /** Redelivers after {@code asked}, or after the backoff if null, or gives up. */
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
