package org.svcmailbox.capability;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An operation that a capability can allow. */
public enum Operation {
  SEND("send"),
  RECV("recv"),
  ACK("ack"),
  NACK("nack"),
  EXTEND("extend"),
  /** Looking at messages, and counting them. */
  PEEK("peek"),
  /** Finding, reading, reprocessing and discarding dead letters. */
  DLQ("dlq"),
  /** The part of {@link #DLQ} that changes nothing. */
  DLQ_VIEW("dlq.view", DLQ),
  /** Sending a dead letter again with something in it changed. */
  DLQ_EDIT("dlq.edit"),
  /** Leaving messages at the rendezvous door. */
  RENDEZVOUS_POST("rendezvous.post"),
  /** Taking messages from the rendezvous door. */
  RENDEZVOUS_GET("rendezvous.get"),
  /** Managing topics, which includes purging, and minting capabilities. */
  ADMIN("admin"),
  /** Reading the audit; part of {@link #ADMIN}. */
  AUDIT("audit", ADMIN),
  /** Pausing and resuming the deliveries of a topic; part of {@link #ADMIN}. */
  PAUSE("pause", ADMIN),
  /** Revoking single capabilities; part of {@link #ADMIN}. */
  REVOKE("revoke", ADMIN);

  private final String text;
  private final @Nullable Operation whole;

  Operation(String text) {
    this(text, null);
  }

  Operation(String text, @Nullable Operation whole) {
    this.text = text;
    this.whole = whole;
  }

  /** The name in a caveat. */
  public String text() {
    return text;
  }

  /** Whether it makes a message, which takes an idempotency key. */
  boolean takesKey() {
    return this == SEND || this == DLQ_EDIT;
  }

  boolean isAmong(Set<Operation> named) {
    return named.contains(this) || (whole != null && named.contains(whole));
  }

  static Optional<Operation> of(String text) {
    return Arrays.stream(values()).filter(operation -> operation.text().equals(text)).findFirst();
  }
}
