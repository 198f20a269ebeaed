package org.svcmailbox.client.capability;

import java.util.Arrays;
import java.util.Optional;

/** A right that a capability can give, as an {@code ops} caveat names it. */
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
  DLQ_VIEW("dlq.view"),
  /** Sending a dead letter again with something in it changed. */
  DLQ_EDIT("dlq.edit"),
  /** Leaving messages at the rendezvous door. */
  RENDEZVOUS_POST("rendezvous.post"),
  /** Taking messages from the rendezvous door. */
  RENDEZVOUS_GET("rendezvous.get"),
  /** Managing topics, which includes purging, and minting capabilities. */
  ADMIN("admin"),
  /** Reading the audit; part of {@link #ADMIN}. */
  AUDIT("audit");

  private final String text;

  Operation(String text) {
    this.text = text;
  }

  /** The name in a caveat. */
  public String text() {
    return text;
  }

  static Optional<Operation> of(String text) {
    return Arrays.stream(values()).filter(known -> known.text.equals(text)).findFirst();
  }
}
