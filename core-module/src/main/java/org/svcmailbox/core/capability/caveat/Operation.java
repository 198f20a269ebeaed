package org.svcmailbox.core.capability.caveat;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An operation that a capability can allow; the names are public. */
public enum Operation {
  SEND("send"),
  RECV("recv"),
  ACK("ack"),
  NACK("nack"),
  EXTEND("extend"),
  PEEK("peek"),
  DLQ("dlq"),
  /** The read-only part of {@link #DLQ}. */
  DLQ_VIEW("dlq.view", DLQ),
  DLQ_EDIT("dlq.edit"),
  RENDEZVOUS_POST("rendezvous.post"),
  RENDEZVOUS_GET("rendezvous.get"),
  ADMIN("admin"),
  AUDIT("audit", ADMIN);

  private final String text;
  private final @Nullable Operation whole;

  Operation(String text) {
    this(text, null);
  }

  Operation(String text, @Nullable Operation whole) {
    this.text = text;
    this.whole = whole;
  }

  public String text() {
    return text;
  }

  boolean isAmong(Set<Operation> named) {
    return named.contains(this) || (whole != null && named.contains(whole));
  }

  static Optional<Operation> of(String text) {
    return Arrays.stream(values()).filter(operation -> operation.text().equals(text)).findFirst();
  }
}
