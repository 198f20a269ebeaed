package org.svcmailbox.web.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Attributes;

/**
 * Reads an object of strings. It stops when there are far too many, because a client can choose
 * names that collide in any hash table.
 */
final class StringsDeserializer extends StdDeserializer<Map<String, @Nullable String>> {
  private static final long serialVersionUID = 1L;

  /**
   * Twice the most that a request may have, so that a small mistake gets the request's own answer.
   */
  static final int MOST = 2 * Attributes.MAX_COUNT;

  StringsDeserializer() {
    super(Map.class);
  }

  @Override
  public Map<String, @Nullable String> deserialize(
      JsonParser parser, DeserializationContext context) throws IOException {
    if (!parser.isExpectedStartObjectToken()) {
      throw MismatchedInputException.from(parser, Map.class, "no object");
    }
    Map<String, @Nullable String> strings = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      if (strings.size() == MOST) {
        throw MismatchedInputException.from(parser, Attributes.class, "too many");
      }
      String name = parser.currentName();
      strings.put(name, value(parser));
    }
    return strings;
  }

  private static @Nullable String value(JsonParser parser) throws IOException {
    return switch (parser.nextToken()) {
      case VALUE_STRING -> parser.getText();
      case VALUE_NULL -> null;
      default -> throw MismatchedInputException.from(parser, String.class, "no string");
    };
  }
}
