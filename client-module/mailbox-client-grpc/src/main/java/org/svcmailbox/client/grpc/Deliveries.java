package org.svcmailbox.client.grpc;

import com.google.protobuf.Timestamp;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.service.CheckedMessage;
import org.svcmailbox.client.service.MessageView;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.verify.ReceivedEnvelope;
import org.svcmailbox.proto.v1.Received;
import org.svcmailbox.proto.v1.RecvResponse;

/** Received messages, whose digests are checked when their bodies are read. */
final class Deliveries implements MessageView<DriverDelivery> {
  /**
   * The form that the digest covers: always with milliseconds, which an Instant's text may lack.
   */
  private static final DateTimeFormatter TEXT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  @Override
  public String receipt(DriverDelivery message) {
    return message.receiptHandle();
  }

  @Override
  public int bytes(DriverDelivery message) {
    return message.message().payload().size();
  }

  /**
   * Reads an answer to RECV.
   *
   * @throws IOException if it is not one
   */
  static List<DriverDelivery> of(RecvResponse response, String mailbox) throws IOException {
    List<DriverDelivery> deliveries = new ArrayList<>();
    for (Received received : response.getMessagesList()) {
      deliveries.add(of(received, received.getPayload().toByteArray(), mailbox));
    }
    return deliveries;
  }

  /**
   * Reads a message.
   *
   * @param payload its bytes, which are not copied
   * @throws IOException if it lacks a field
   */
  static DriverDelivery of(Received received, byte[] payload, String mailbox) throws IOException {
    org.svcmailbox.proto.v1.Envelope envelope = received.getEnvelope();
    if (envelope.getMsgId().isEmpty() || received.getReceipt().isEmpty()) {
      throw new IOException("a message lacks its id or its receipt");
    }
    try {
      return new CheckedMessage(
              envelope.getMsgId(),
              received.getReceipt(),
              envelope.getAttempt(),
              new ReceivedEnvelope(
                  envelope.getTopic(),
                  text(envelope.getTs()),
                  envelope.getIdemKey(),
                  envelope.getPayloadHash(),
                  envelope.getAttrsMap(),
                  envelope.getHashChain()),
              given(envelope.getCorrId()),
              given(received.getTraceparent()),
              given(received.getTracestate()),
              given(received.getLastError()))
          .delivery(mailbox, payload);
    } catch (DateTimeException e) {
      throw new IOException("an envelope has a malformed time", e);
    }
  }

  private static String text(Timestamp timestamp) {
    return TEXT.format(Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos()));
  }

  private static @Nullable String given(String text) {
    return text.isEmpty() ? null : text;
  }
}
