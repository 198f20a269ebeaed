package org.svcmailbox.core.message;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why a message becomes a dead letter.
 *
 * @param event null if no delivery decided it
 */
public record Quarantine(
    DeadLetterReason reason, int attempt, String lastError, @Nullable MessageEvent event) {

  public Quarantine(DeadLetterReason reason, int attempt, String lastError) {
    this(reason, attempt, lastError, null);
  }

  /** A message that no consumer received in time. */
  public static Quarantine expired(int deliveries, @Nullable String lastError) {
    return new Quarantine(
        DeadLetterReason.EXPIRED,
        deliveries,
        Objects.requireNonNullElse(lastError, "nobody received it within its retention"));
  }

  /** A message that the broker gave up on. */
  public static Quarantine givenUp(int deliveries, @Nullable String lastError) {
    return new Quarantine(
        DeadLetterReason.MAX_DELIVERY,
        deliveries,
        Objects.requireNonNullElse(
            lastError, "the broker gave up: its deliveries kept ending with their session"));
  }

  /** A message that differs from what its sender sent. */
  public static Quarantine altered(int deliveries) {
    return new Quarantine(
        DeadLetterReason.INTEGRITY,
        deliveries,
        "the payload or the fields are not what the sender gave");
  }

  /** A second copy of a message that is still in its queue. */
  public static Quarantine duplicate(int deliveries) {
    return new Quarantine(
        DeadLetterReason.INTEGRITY, deliveries, "a second copy; its queue has the message already");
  }

  public static Quarantine after(MessageEvent event, DeadLetterReason reason) {
    return new Quarantine(reason, event.attempt(), event.note(), event);
  }
}
