package org.svcmailbox.client.http;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.service.CheckedMessage;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.verify.ReceivedEnvelope;

/** The answer to RECV, as its fields stand in it. */
record RecvAnswer(@Nullable List<RecvAnswer.@Nullable Leased> messages) {

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
      @Nullable String receipt,
      @Nullable String lastError) {

    /** The delivery, whose body throws if it is not the one that was sent to {@code mailbox}. */
    DriverDelivery delivery(String mailbox) {
      ReceivedEnvelope envelope =
          new ReceivedEnvelope(
              requireNonNull(topic),
              requireNonNull(ts),
              requireNonNull(idemKey),
              requireNonNull(payloadHash),
              requireNonNull(attrs),
              requireNonNull(hashChain));
      return new CheckedMessage(
              requireNonNull(msgId),
              requireNonNull(receipt),
              attempt,
              envelope,
              corrId,
              traceparent,
              tracestate,
              lastError)
          .delivery(mailbox, requireNonNull(payload).array());
    }
  }

  /**
   * Reads the answer.
   *
   * @throws IOException if it is none
   */
  static List<DriverDelivery> read(byte[] json, String mailbox) throws IOException {
    try {
      RecvAnswer received = requireNonNull(HttpJson.MAPPER.readValue(json, RecvAnswer.class));
      List<DriverDelivery> deliveries = new ArrayList<>();
      for (Leased leased : requireNonNull(received.messages())) {
        deliveries.add(delivery(requireNonNull(leased), mailbox));
      }
      return deliveries;
    } catch (NullPointerException e) {
      throw new IOException("the answer lacks a message", e);
    }
  }

  /**
   * Reads one message.
   *
   * @throws IOException if it lacks a field
   */
  static DriverDelivery delivery(Leased leased, String mailbox) throws IOException {
    try {
      return leased.delivery(mailbox);
    } catch (NullPointerException | DateTimeException e) {
      throw new IOException("an envelope lacks a field or has a malformed one", e);
    }
  }
}
