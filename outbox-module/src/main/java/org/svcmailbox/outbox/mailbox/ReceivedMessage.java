package org.svcmailbox.outbox.mailbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.verify.Envelope;
import org.svcmailbox.outbox.event.TraceContext;
import org.svcmailbox.outbox.inbox.Delivery;

/**
 * An element of an answer to RECV.
 *
 * @param delivery the message
 * @param mismatch the digest that does not match, if one does not
 */
record ReceivedMessage(Delivery delivery, Optional<String> mismatch) {
  /**
   * Reads it.
   *
   * @throws IOException if it lacks a field
   */
  static ReceivedMessage of(JsonNode json) throws IOException {
    byte[] payload = required(json, "payload").binaryValue();
    Map<String, String> attributes = new HashMap<>();
    json.path("attrs").properties().forEach(e -> attributes.put(e.getKey(), e.getValue().asText()));
    Envelope envelope =
        new Envelope(
            text(json, "topic"),
            text(json, "ts"),
            text(json, "idem_key"),
            text(json, "payload_hash"),
            attributes,
            text(json, "hash_chain"));
    Delivery delivery =
        new Delivery(
            text(json, "msg_id"),
            text(json, "receipt"),
            required(json, "attempt").asInt(),
            required(json, "shard").asInt(),
            attributes,
            utf8(payload),
            TraceContext.read(
                json.path("traceparent").textValue(), json.path("tracestate").textValue()));
    return new ReceivedMessage(delivery, envelope.mismatch(payload));
  }

  private static @Nullable String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static String text(JsonNode json, String field) throws IOException {
    return required(json, field).asText();
  }

  private static JsonNode required(JsonNode json, String field) throws IOException {
    JsonNode value = json.get(field);
    if (value == null || value.isNull()) {
      throw new IOException("a received message has no " + field);
    }
    return value;
  }
}
