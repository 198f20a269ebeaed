package org.svcmailbox.core.topic;

/** Messages per second. */
public record MessageRates(double sent, double delivered, double acked) {
  public static final MessageRates NONE = new MessageRates(0, 0, 0);

  public MessageRates plus(MessageRates other) {
    return new MessageRates(sent + other.sent, delivered + other.delivered, acked + other.acked);
  }
}
