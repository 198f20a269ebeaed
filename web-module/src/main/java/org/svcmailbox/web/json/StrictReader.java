package org.svcmailbox.web.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.SchemaException;

/**
 * Reads one kind of request record: unknown fields, repeated fields, coerced values and anything
 * after the object are refused.
 */
final class StrictReader<T> {
  private final ObjectReader reader;

  private StrictReader(ObjectReader reader) {
    this.reader = reader;
  }

  static <T> StrictReader<T> of(Class<T> type) {
    return new StrictReader<>(Json.MAPPER.readerFor(type));
  }

  /**
   * The record in a body.
   *
   * @throws SchemaException naming the field that is wrong
   */
  T read(Body body) {
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
        throw new SchemaException(JsonField.ROOT, "must be an object");
      }
      if (parser.nextToken() != null) {
        throw new SchemaException(JsonField.ROOT, "has something after its end");
      }
      return value;
    } catch (JacksonException e) {
      throw new SchemaException(JsonField.of(e, parser), JsonFault.of(e));
    }
  }
}
