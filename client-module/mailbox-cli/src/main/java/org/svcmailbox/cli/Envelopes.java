package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.client.verify.ReceivedEnvelope;

/** Messages in the service's JSON form. */
final class Envelopes {
  private Envelopes() {}

  /** Why a message differs from what was accepted; empty if it does not. */
  static Optional<String> mismatch(JsonNode message) {
    try {
      return envelope(message)
          .mismatch(payload(message))
          .map(digest -> "its " + digest + " does not match");
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /**
   * The payload.
   *
   * @throws IllegalArgumentException if there is none
   */
  static byte[] payload(JsonNode message) {
    String base64 = text(message, "payload");
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      // Without the exception's message, which quotes the payload.
      throw new IllegalArgumentException("its payload is no base64");
    }
  }

  private static ReceivedEnvelope envelope(JsonNode message) {
    Map<String, String> attributes = new HashMap<>();
    JsonNode attrs = message.path("attrs");
    if (!attrs.isObject()) {
      throw new IllegalArgumentException("it has no attrs");
    }
    attrs.fieldNames().forEachRemaining(name -> attributes.put(name, text(attrs, name)));
    return new ReceivedEnvelope(
        text(message, "topic"),
        text(message, "ts"),
        text(message, "idem_key"),
        text(message, "payload_hash"),
        attributes,
        text(message, "hash_chain"));
  }

  private static String text(JsonNode object, String field) {
    JsonNode value = object.path(field);
    if (!value.isTextual()) {
      throw new IllegalArgumentException("it has no " + field);
    }
    return value.textValue();
  }

  /** The id and the receipt, which settle a message. */
  static ObjectNode receipt(JsonNode message) {
    return JsonOutput.object()
        .put("msg_id", message.path("msg_id").asText())
        .put("receipt", message.path("receipt").asText());
  }
}
