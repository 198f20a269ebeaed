package org.svcmailbox.client.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.SerializationException;

/** JSON by Jackson. */
final class JsonCodec<T> implements Codec<T> {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final String typeName;
  private final ObjectReader reader;
  private final ObjectWriter writer;

  JsonCodec(Type type) {
    JavaType bound = MAPPER.constructType(type);
    typeName = bound.toCanonical();
    reader = MAPPER.readerFor(bound);
    writer = MAPPER.writerFor(bound);
  }

  @Override
  public byte[] encode(T body) {
    try {
      return writer.writeValueAsBytes(body);
    } catch (JsonProcessingException e) {
      throw new SerializationException("a " + typeName + " cannot be written as JSON", e);
    }
  }

  @Override
  public T decode(byte[] bytes) {
    @Nullable T body;
    try {
      body = reader.readValue(bytes);
    } catch (IOException e) {
      throw new SerializationException("the body is no JSON of a " + typeName, e);
    }
    if (body == null) {
      throw new SerializationException("the body is the JSON null");
    }
    return body;
  }

  @Override
  public String toString() {
    return "json(" + typeName + ")";
  }
}
