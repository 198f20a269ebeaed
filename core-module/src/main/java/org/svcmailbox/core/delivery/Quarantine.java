package org.svcmailbox.core.delivery;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reason, attempt and error that a dead letter carries.
 *
 * @param attempt how many deliveries it had
 * @param lastError why the last one failed
 * @param event the end of the delivery that was the last straw; null when it was no delivery
 */
public record Quarantine(
    DeadLetterReason reason, int attempt, String lastError, @Nullable MessageEvent event) {

  /** Of what no delivery decided. */
  public Quarantine(DeadLetterReason reason, int attempt, String lastError) {
    this(reason, attempt, lastError, null);
  }

  /** Of what nobody took in time. */
  public static Quarantine expired(StoredMessage message) {
    return before(
        DeadLetterReason.EXPIRED,
        message,
        Objects.requireNonNullElse(message.lastError(), "nobody received it within its retention"));
  }

  /** Of what is not what its sender gave. */
  public static Quarantine altered(StoredMessage message) {
    return before(
        DeadLetterReason.INTEGRITY,
        message,
        "the payload or the fields are not what the sender gave");
  }

  /** Of a message that was ready for a delivery which it did not get. */
  private static Quarantine before(DeadLetterReason reason, StoredMessage message, String error) {
    return new Quarantine(reason, message.envelope().attempt() - 1, error);
  }

  /** Of what died of the end of a delivery. */
  public static Quarantine after(MessageEvent event, DeadLetterReason reason) {
    return new Quarantine(reason, event.attempt(), event.note(), event);
  }
}
