package org.svcmailbox.core.delivery;

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

  /** Of what died of the end of a delivery. */
  public static Quarantine after(MessageEvent event, DeadLetterReason reason) {
    return new Quarantine(reason, event.attempt(), event.note(), event);
  }
}
