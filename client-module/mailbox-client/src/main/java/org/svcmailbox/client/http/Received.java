package org.svcmailbox.client.http;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.IntegrityException;
import org.svcmailbox.client.spi.Delivery;
import org.svcmailbox.client.spi.EncodedMessage;
import org.svcmailbox.client.spi.Payload;
import org.svcmailbox.client.verify.Envelope;

/** The answer to RECV, as its fields stand in it. */
record Received(@Nullable List<Received.@Nullable Leased> messages) {

  /** An envelope with its payload and its receipt. */
  record Leased(
      @Nullable String msgId,
      @Nullable String topic,
      @Nullable String ts,
      @Nullable String idemKey,
      @Nullable String payloadHash,
      @Nullable Map<String, String> attrs,
      @Nullable String corrId,
      int attempt,
      @Nullable String hashChain,
      @Nullable String traceparent,
      @Nullable String tracestate,
      @Nullable ByteBuffer payload,
      @Nullable String receipt) {

    /** The delivery, whose body throws if it is not the one that was sent to {@code mailbox}. */
    Delivery delivery(String mailbox) {
      Envelope envelope =
          new Envelope(
              requireNonNull(topic),
              requireNonNull(ts),
              requireNonNull(idemKey),
              requireNonNull(payloadHash),
              requireNonNull(attrs),
              requireNonNull(hashChain));
      Map<String, String> attributes = new HashMap<>(envelope.attributes());
      String replyTo = attributes.remove(Json.REPLY_TO);
      return new Delivery(
          requireNonNull(msgId),
          requireNonNull(receipt),
          attempt,
          Instant.parse(ts),
          new EncodedMessage(
              checked(mailbox, envelope, requireNonNull(payload).array()),
              replyTo,
              idemKey,
              null,
              Duration.ZERO,
              Map.copyOf(attributes),
              corrId,
              traceparent,
              tracestate),
          null);
    }

    private Payload checked(String mailbox, Envelope envelope, byte[] bytes) {
      String mismatch =
          envelope.topic().equals(mailbox) ? envelope.mismatch(bytes).orElse(null) : "topic";
      return mismatch == null
          ? Payload.of(bytes)
          : Payload.altered(
              bytes,
              new IntegrityException(
                  "message "
                      + msgId
                      + " is not the one that was sent: its "
                      + mismatch
                      + " does not match"));
    }
  }

  /**
   * Reads the answer.
   *
   * @throws IOException if it is none
   */
  static List<Delivery> read(byte[] json, String mailbox) throws IOException {
    try {
      Received received = requireNonNull(Json.MAPPER.readValue(json, Received.class));
      List<Delivery> deliveries = new ArrayList<>();
      for (Leased leased : requireNonNull(received.messages())) {
        deliveries.add(requireNonNull(leased).delivery(mailbox));
      }
      return deliveries;
    } catch (NullPointerException | DateTimeException e) {
      throw new IOException("an envelope lacks a field or has a malformed one", e);
    }
  }
}
