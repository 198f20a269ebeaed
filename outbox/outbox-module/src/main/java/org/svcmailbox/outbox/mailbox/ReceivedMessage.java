package org.svcmailbox.outbox.mailbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.verify.ReceivedEnvelope;
import org.svcmailbox.outbox.event.TraceContext;
import org.svcmailbox.outbox.inbox.Delivery;

/** Reads the elements of an answer to RECV. */
final class ReceivedMessage {
  private ReceivedMessage() {}

  /**
   * Reads a message. A digest that does not match is its defect.
   *
   * @throws IOException if it lacks a field
   */
  static Delivery of(JsonNode json) throws IOException {
    byte[] payload = required(json, "payload").binaryValue();
    Map<String, String> attributes = new HashMap<>();
    json.path("attrs").properties().forEach(e -> attributes.put(e.getKey(), e.getValue().asText()));
    ReceivedEnvelope envelope =
        new ReceivedEnvelope(
            text(json, "topic"),
            text(json, "ts"),
            text(json, "idem_key"),
            text(json, "payload_hash"),
            attributes,
            text(json, "hash_chain"));
    return new Delivery(
        text(json, "msg_id"),
        text(json, "receipt"),
        required(json, "attempt").asInt(),
        required(json, "shard").asInt(),
        attributes,
        utf8(payload),
        TraceContext.read(
            json.path("traceparent").textValue(), json.path("tracestate").textValue()),
        envelope
            .mismatch(payload)
            .map(digest -> "its " + digest + " does not match what was sent")
            .orElse(null));
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
