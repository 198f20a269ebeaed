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

  /**
   * A message that nobody received in time.
   *
   * @param deliveries that it had before
   * @param lastError why the last of them failed
   */
  public static Quarantine expired(int deliveries, @Nullable String lastError) {
    return new Quarantine(
        DeadLetterReason.EXPIRED,
        deliveries,
        Objects.requireNonNullElse(lastError, "nobody received it within its retention"));
  }

  /** A message that the broker gave up on; otherwise like {@link #expired}. */
  public static Quarantine givenUp(int deliveries, @Nullable String lastError) {
    return new Quarantine(
        DeadLetterReason.MAX_DELIVERY,
        deliveries,
        Objects.requireNonNullElse(
            lastError, "the broker gave up: its deliveries kept ending with their session"));
  }

  /** A message that is not what its sender gave. */
  public static Quarantine altered(int deliveries) {
    return new Quarantine(
        DeadLetterReason.INTEGRITY,
        deliveries,
        "the payload or the fields are not what the sender gave");
  }

  /** Of what died of the end of a delivery. */
  public static Quarantine after(MessageEvent event, DeadLetterReason reason) {
    return new Quarantine(reason, event.attempt(), event.note(), event);
  }
}
