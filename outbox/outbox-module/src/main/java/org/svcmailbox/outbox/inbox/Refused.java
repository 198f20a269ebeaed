package org.svcmailbox.outbox.inbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A message that was not handled.
 *
 * @param delivery the message
 * @param reason why, for operators; cut to the length that the service accepts
 * @param delay the time to its next delivery; null for the topic's backoff
 * @param deadLetter whether it becomes a dead letter at once, whatever its attempts
 */
public record Refused(
    Delivery delivery, String reason, @Nullable Duration delay, boolean deadLetter) {
  /** A message that is delivered again after the topic's backoff. */
  public static Refused retry(Delivery delivery, String reason) {
    return new Refused(delivery, reason, null, false);
  }

  /** A message that is delivered again after the given delay. */
  public static Refused retry(Delivery delivery, String reason, @Nullable Duration delay) {
    return new Refused(delivery, reason, delay, false);
  }

  /** A message that nobody can handle. */
  public static Refused dead(Delivery delivery, String reason) {
    return new Refused(delivery, reason, null, true);
  }
}
