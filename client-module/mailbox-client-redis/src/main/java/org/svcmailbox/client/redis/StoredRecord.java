package org.svcmailbox.client.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.IntegrityException;
import org.svcmailbox.client.spi.EncodedBody;
import org.svcmailbox.client.spi.EncodedMessage;

/**
 * A value of the data hash: 32 characters of id, 16 digits of microseconds since 1970, 8 digits of
 * header length, header in JSON (empty without fields), body. The send script writes it.
 */
final class StoredRecord {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectReader HEADERS = JSON.readerFor(Header.class);
  private static final Header NO_FIELDS = new Header(null, null, null, null, null);
  private static final int ID = 32;
  private static final int TIME = ID + 16;
  private static final int LENGTH = 8;
  private static final int START = TIME + LENGTH;

  /** Added to a length, so that the last eight digits of the sum are the padded length. */
  private static final int NO_LENGTH = 100_000_000;

  /** The fields that travel with the body. */
  record Header(
      @Nullable String replyTo,
      @Nullable Map<String, String> attributes,
      @Nullable String correlationId,
      @Nullable String traceparent,
      @Nullable String tracestate) {}

  final String id;
  final Instant enqueuedAt;
  final EncodedMessage message;

  private StoredRecord(String id, Instant enqueuedAt, EncodedMessage message) {
    this.id = id;
    this.enqueuedAt = enqueuedAt;
    this.message = message;
  }

  /** A record from the header's length on. */
  static byte[] content(EncodedMessage message) {
    byte[] header = header(message);
    byte[] body = message.payload().bytes();
    return ByteBuffer.allocate(LENGTH + header.length + body.length)
        .put(Integer.toString(NO_LENGTH + header.length).getBytes(ISO_8859_1), 1, LENGTH)
        .put(header)
        .put(body)
        .array();
  }

  private static byte[] header(EncodedMessage message) {
    Map<String, Object> header = new LinkedHashMap<>();
    putIfPresent(header, "replyTo", message.replyTo());
    putIfPresent(
        header, "attributes", message.attributes().isEmpty() ? null : message.attributes());
    putIfPresent(header, "correlationId", message.correlationId());
    putIfPresent(header, "traceparent", message.traceparent());
    putIfPresent(header, "tracestate", message.tracestate());
    try {
      return header.isEmpty() ? new byte[0] : JSON.writeValueAsBytes(header);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a header of strings", e);
    }
  }

  private static void putIfPresent(
      Map<String, Object> header, String name, @Nullable Object value) {
    if (value != null) {
      header.put(name, value);
    }
  }

  /** Reads a record. If no send wrote it, only reading its body fails. */
  static StoredRecord parse(Entry entry, byte[] bytes) {
    try {
      int headerEnd = START + Integer.parseInt(text(bytes, TIME, START));
      long micros = Long.parseLong(text(bytes, ID, TIME));
      Header header =
          headerEnd == START ? NO_FIELDS : HEADERS.readValue(bytes, START, headerEnd - START);
      return new StoredRecord(
          text(bytes, 0, ID),
          Instant.EPOCH.plus(micros, ChronoUnit.MICROS),
          message(
              entry, EncodedBody.of(Arrays.copyOfRange(bytes, headerEnd, bytes.length)), header));
    } catch (IOException | RuntimeException e) {
      EncodedBody altered =
          EncodedBody.altered(
              bytes, new IntegrityException("Redis has a record that no send wrote"));
      return new StoredRecord(entry.name(), Instant.EPOCH, message(entry, altered, NO_FIELDS));
    }
  }

  private static EncodedMessage message(Entry entry, EncodedBody payload, Header header) {
    return new EncodedMessage(
        payload,
        header.replyTo(),
        entry.key(),
        null,
        Duration.ZERO,
        header.attributes() == null ? Map.of() : Map.copyOf(header.attributes()),
        header.correlationId(),
        header.traceparent(),
        header.tracestate());
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, ISO_8859_1);
  }
}
