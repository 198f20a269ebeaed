package org.svcmailbox.it.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** The fields of a JSON request; immutable, so that a test can vary a good one. */
public final class Fields {
  /** No fields at all. */
  public static final Fields NONE = new Fields(JsonNodeFactory.instance.objectNode());

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ObjectNode node;

  private Fields(ObjectNode node) {
    this.node = node;
  }

  /** One field. */
  public static Fields of(String name, Object value) {
    return NONE.with(name, value);
  }

  /** The fields of a SEND. */
  public static Fields send(String topic, String idemKey, byte[] payload) {
    return of("topic", topic)
        .with("idem_key", idemKey)
        .with("payload", Base64.getEncoder().encodeToString(payload));
  }

  /**
   * The same with one field set.
   *
   * @param value a string, a number, a boolean, {@code Fields}, a list or map of such
   */
  public Fields with(String name, Object value) {
    ObjectNode copy = node.deepCopy();
    copy.set(name, json(value));
    return new Fields(copy);
  }

  /** The same without one field. */
  public Fields without(String name) {
    ObjectNode copy = node.deepCopy();
    copy.remove(name);
    return new Fields(copy);
  }

  /** As JSON text. */
  public String text() {
    return node.toString();
  }

  private static JsonNode json(Object value) {
    if (value instanceof Fields fields) {
      return fields.node;
    }
    if (value instanceof List<?> list) {
      ArrayNode array = MAPPER.createArrayNode();
      list.forEach(one -> array.add(json(one)));
      return array;
    }
    if (value instanceof Map<?, ?> map) {
      ObjectNode object = MAPPER.createObjectNode();
      map.forEach((key, one) -> object.set(String.valueOf(key), json(one)));
      return object;
    }
    return MAPPER.valueToTree(value);
  }
}
