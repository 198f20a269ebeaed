package org.svcmailbox.client.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.service.CheckedMessage;
import org.svcmailbox.client.service.StreamTerms;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.spi.EncodedMessage;

/** Bodies of requests, and what all answers share. */
final class HttpJson {
  /** The service may add fields, so unknown ones are ignored. */
  static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final int ESTIMATE = 512;

  private interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  private HttpJson() {}

  /** One message, alone or in a batch. */
  static byte[] send(String topic, EncodedMessage message, String key) {
    byte[] payload = message.payload().bytes();
    return object(
        payload.length / 3 * 4 + ESTIMATE,
        json -> {
          json.writeStringField("topic", topic);
          json.writeStringField("idem_key", key);
          writeAttributes(json, message);
          writeOptional(json, "corr_id", message.correlationId());
          writeOptional(json, "shard_key", message.group());
          writeOptional(json, "traceparent", message.traceparent());
          writeOptional(json, "tracestate", message.tracestate());
          if (!message.delay().isZero()) {
            json.writeNumberField("delay_ms", millis(message.delay()));
          }
          json.writeBinaryField("payload", payload);
        });
  }

  private static void writeAttributes(JsonGenerator json, EncodedMessage message)
      throws IOException {
    if (message.attributes().isEmpty() && message.replyTo() == null) {
      return;
    }
    json.writeObjectFieldStart("attrs");
    for (Map.Entry<String, String> attribute : message.attributes().entrySet()) {
      json.writeStringField(attribute.getKey(), attribute.getValue());
    }
    writeOptional(json, CheckedMessage.REPLY_TO, message.replyTo());
    json.writeEndObject();
  }

  private static void writeOptional(JsonGenerator json, String field, @Nullable String value)
      throws IOException {
    if (value != null) {
      json.writeStringField(field, value);
    }
  }

  /** A RECV; without a visibility, the topic's own applies. */
  static byte[] receive(
      String topic, int maxMessages, @Nullable Duration visibility, Duration wait) {
    return object(
        ESTIMATE,
        json -> {
          json.writeStringField("topic", topic);
          json.writeNumberField("max_messages", maxMessages);
          if (visibility != null) {
            json.writeNumberField("visibility_ms", millis(visibility));
          }
          json.writeNumberField("wait_ms", millis(wait));
        });
  }

  /** The opening of a stream. */
  static byte[] stream(String topic, StreamTerms request) {
    return object(
        ESTIMATE,
        json -> {
          json.writeStringField("topic", topic);
          if (request.visibility() != null) {
            json.writeNumberField("visibility_ms", millis(request.visibility()));
          }
          json.writeNumberField("window", request.window());
          json.writeNumberField("window_bytes", StreamTerms.WINDOW_BYTES);
          if (request.resume() != null) {
            json.writeObjectFieldStart("resume");
            json.writeStringField("stream", request.resume().stream());
            json.writeNumberField("last", request.resume().last());
            json.writeEndObject();
          }
        });
  }

  static byte[] acknowledge(DriverDelivery delivery) {
    return object(ESTIMATE, json -> writeReceipt(json, delivery));
  }

  static byte[] nack(DriverDelivery delivery, Duration delay, String reason) {
    return object(
        ESTIMATE,
        json -> {
          writeReceipt(json, delivery);
          json.writeNumberField("delay_ms", millis(delay));
          if (!reason.isEmpty()) {
            json.writeStringField("reason", wellFormed(reason));
          }
        });
  }

  static byte[] extend(DriverDelivery delivery, Duration visibility) {
    return object(
        ESTIMATE,
        json -> {
          writeReceipt(json, delivery);
          json.writeNumberField("visibility_ms", millis(visibility));
        });
  }

  private static void writeReceipt(JsonGenerator json, DriverDelivery delivery) throws IOException {
    json.writeStringField("msg_id", delivery.id());
    json.writeStringField("receipt", delivery.receiptHandle());
  }

  private static byte[] object(int estimate, Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(estimate);
    try (JsonGenerator json = MAPPER.createGenerator(bytes)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  /** Any JSON. */
  static byte[] bytes(JsonNode json) {
    try {
      return MAPPER.writeValueAsBytes(json);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
  }

  /** The bodies of tasks as the elements of a batch, each byte for byte. */
  static byte[] batch(String field, List<? extends HttpTask<?>> tasks) {
    ByteArrayOutputStream bytes =
        new ByteArrayOutputStream(
            Math.toIntExact(ESTIMATE + tasks.stream().mapToLong(HttpTask::bytes).sum()));
    bytes.writeBytes(("{\"" + field + "\":").getBytes(StandardCharsets.US_ASCII));
    byte separator = '[';
    for (HttpTask<?> task : tasks) {
      bytes.write(separator);
      bytes.writeBytes(task.json());
      separator = ',';
    }
    bytes.writeBytes("]}".getBytes(StandardCharsets.US_ASCII));
    return bytes.toByteArray();
  }

  /**
   * A field that every answer has.
   *
   * @throws IOException if this one has not
   */
  static JsonNode required(JsonNode object, String field) throws IOException {
    JsonNode value = object.get(field);
    if (value == null) {
      throw new IOException("the field " + field + " is missing");
    }
    return value;
  }

  /** Whole milliseconds, rounded up. */
  private static long millis(Duration duration) {
    return duration.plusNanos(999_999).toMillis();
  }

  /** The text with every lone surrogate replaced, which UTF-8 cannot encode. */
  private static String wellFormed(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
