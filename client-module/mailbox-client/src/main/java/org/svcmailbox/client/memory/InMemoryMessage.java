package org.svcmailbox.client.memory;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.spi.EncodedMessage;

/** A message in memory. It is ready, or hidden until a moment; while held it has a receipt. */
final class InMemoryMessage {
  final long place;
  final String id;
  final EncodedMessage message;
  private final Instant enqueuedAt;
  private int deliveries;
  private @Nullable String receipt;
  private boolean expired;
  private @Nullable String lastError;

  /** The moment when it is ready again; has a meaning while it is hidden. */
  long hiddenUntil;

  InMemoryMessage(long place, String id, EncodedMessage message, Instant enqueuedAt) {
    this.place = place;
    this.id = id;
    this.message = message;
    this.enqueuedAt = enqueuedAt;
  }

  /** The message of a delivery that was acknowledged, once more. */
  static InMemoryMessage after(DriverDelivery delivery, long place) {
    InMemoryMessage message =
        new InMemoryMessage(place, delivery.id(), delivery.message(), delivery.enqueuedAt());
    message.deliveries = delivery.deliveryCount();
    return message;
  }

  boolean isHeld() {
    return receipt != null && !expired;
  }

  boolean isHeldBy(DriverDelivery delivery) {
    return isHeld() && wasLastHeldBy(delivery);
  }

  /** Whether it holds the message, or did until its lease ran out and nobody took the message. */
  boolean wasLastHeldBy(DriverDelivery delivery) {
    return delivery.receiptHandle().equals(receipt);
  }

  /**
   * Starts a new delivery. The error of the last one is reported once, because an expiry has none.
   */
  DriverDelivery deliver() {
    deliveries++;
    receipt = id + "/" + deliveries;
    expired = false;
    DriverDelivery delivery =
        new DriverDelivery(id, requireNonNull(receipt), deliveries, enqueuedAt, message, lastError);
    lastError = null;
    return delivery;
  }

  /** The lease has run out. */
  void expire() {
    expired = true;
    lastError = null;
  }

  /** The lease is over, and its holder has no part in the message any more. */
  void release(@Nullable String error) {
    receipt = null;
    lastError = error;
  }
}
