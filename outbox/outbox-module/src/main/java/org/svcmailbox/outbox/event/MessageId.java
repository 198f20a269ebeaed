package org.svcmailbox.outbox.event;

import static java.util.Objects.requireNonNull;

import com.github.f4b6a3.uuid.UuidCreator;
import java.util.UUID;

/**
 * The identity of an event, of the message that carries it, and of the inbox row that remembers it:
 * one UUID for all three.
 */
public record MessageId(UUID value) implements Comparable<MessageId> {
  public MessageId {
    requireNonNull(value, "value");
  }

  /** A new one: a UUID of version 7, so that ids of one process ascend. */
  public static MessageId next() {
    return new MessageId(UuidCreator.getTimeOrderedEpochPlus1());
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException if it is not a UUID of 36 characters
   */
  public static MessageId parse(String text) {
    UUID value = UUID.fromString(text);
    if (text.length() != 36) {
      throw new IllegalArgumentException("a UUID has 36 characters");
    }
    return new MessageId(value);
  }

  /** By the text form, which is the order in which databases sort UUIDs. */
  @Override
  public int compareTo(MessageId other) {
    int high =
        Long.compareUnsigned(value.getMostSignificantBits(), other.value.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(
            value.getLeastSignificantBits(), other.value.getLeastSignificantBits());
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
