package org.svcmailbox.cli;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SerializationException;

/** The keys of lines: read from their JSON, or made from the line and its number. */
final class LineKeys {
  private final @Nullable JsonPointer pointer;
  private final String prefix;

  /**
   * @param pointer where the key is in each line; null to make keys
   * @param prefix the beginning of made keys
   */
  LineKeys(@Nullable JsonPointer pointer, String prefix) {
    this.pointer = pointer;
    this.prefix = prefix;
  }

  /**
   * The key of a line, the same each time.
   *
   * @throws SerializationException if the line has none
   */
  String key(byte[] line, long number) {
    return pointer == null ? prefix + digest(line, number) : at(pointer, line);
  }

  private static String at(JsonPointer pointer, byte[] line) {
    JsonNode value;
    try {
      value = JsonOutput.parse(line).at(pointer);
    } catch (IOException e) {
      throw new SerializationException("there is no key: " + e.getMessage());
    }
    String key = value.isValueNode() && !value.isNull() ? value.asText() : "";
    if (key.isEmpty() || key.length() > Outgoing.MAX_KEY || !isEncodable(key)) {
      throw new SerializationException(
          "there is no key of 1 to " + Outgoing.MAX_KEY + " characters at " + pointer);
    }
    return key;
  }

  private static boolean isEncodable(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  private static String digest(byte[] line, long number) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
      return "line-" + HexFormat.of().formatHex(digest.digest(line));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
