package org.svcmailbox.core.capability;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a capability can allow; names are part of the public interface. */
public enum Operation {
  SEND,
  RECV,
  ACK,
  NACK,
  EXTEND,
  PEEK,
  DLQ,
  ADMIN;

  /** How it is written in an {@code ops} caveat. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The operation written so. */
  static Optional<Operation> of(String text) {
    return Arrays.stream(values()).filter(operation -> operation.text().equals(text)).findFirst();
  }
}
