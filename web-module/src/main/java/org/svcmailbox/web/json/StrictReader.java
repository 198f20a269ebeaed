package org.svcmailbox.web.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.SchemaException;

/**
 * Reads one record type; refuses malformed text, unknown fields, repeated fields, coerced values
 * and trailing content.
 */
final class StrictReader<T> {
  private static final String BODY = "body";

  private final ObjectReader reader;
  private final String document;
  private final String prefix;

  private StrictReader(ObjectReader reader, String document, String prefix) {
    this.reader = reader;
    this.document = document;
    this.prefix = prefix;
  }

  static <T> StrictReader<T> of(Class<T> type) {
    return new StrictReader<>(Json.MAPPER.readerFor(type), BODY, "");
  }

  /**
   * Reads an object of strings that is not a body.
   *
   * @param document its name in violations
   */
  static StrictReader<Map<String, @Nullable String>> ofStrings(String document) {
    return new StrictReader<>(Json.MAPPER.readerForMapOf(String.class), document, document + ".");
  }

  /**
   * @throws SchemaException naming the refused field
   */
  T read(Body body) {
    if (!StrictUtf8.isText(body.bytes(), body.length())) {
      throw new SchemaException(document, JsonErrorText.NOT_JSON);
    }
    try (JsonParser parser = reader.createParser(body.bytes(), 0, body.length())) {
      return read(parser);
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  private T read(JsonParser parser) throws IOException {
    try {
      @Nullable T value = reader.readValue(parser);
      if (value == null) {
        throw new SchemaException(document, "must be an object");
      }
      if (parser.nextToken() != null) {
        throw new SchemaException(document, "has content after its end");
      }
      return value;
    } catch (JacksonException e) {
      throw new SchemaException(name(JsonErrorPath.of(e, parser)), JsonErrorText.of(e));
    }
  }

  private String name(String path) {
    return path.isEmpty() ? document : prefix + path;
  }
}
