package org.svcmailbox.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Standard output: one JSON value on each line. */
final class JsonOutput {
  /** Reads strictly, because its input may have to be verified. */
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final int BUFFER = 1 << 16;

  private final OutputStream out;

  JsonOutput(OutputStream out) {
    this.out = new BufferedOutputStream(out, BUFFER);
  }

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** Converts a list or map to JSON. */
  static JsonNode json(Object value) {
    return MAPPER.valueToTree(value);
  }

  /**
   * Reads a line.
   *
   * @throws IOException if it is not a JSON object
   */
  static ObjectNode parse(byte[] line) throws IOException {
    try {
      if (MAPPER.readTree(line) instanceof ObjectNode object) {
        return object;
      }
    } catch (JsonProcessingException e) {
      // Without the exception's message, which quotes the line.
      throw new IOException("it is no JSON");
    }
    throw new IOException("it is no JSON object");
  }

  /**
   * Adds a line.
   *
   * @throws BrokenOutputException if it, or an earlier line, cannot be written
   */
  void line(JsonNode value) {
    byte[] bytes = bytes(value);
    try {
      out.write(bytes);
      out.write('\n');
    } catch (IOException e) {
      throw new BrokenOutputException(e);
    }
  }

  /** Adds text that is not JSON. */
  void text(String text) {
    try {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new BrokenOutputException(e);
    }
  }

  private static byte[] bytes(JsonNode value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
  }

  /**
   * Passes all lines to the operating system.
   *
   * @throws BrokenOutputException if it does not accept them
   */
  void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw new BrokenOutputException(e);
    }
  }
}
