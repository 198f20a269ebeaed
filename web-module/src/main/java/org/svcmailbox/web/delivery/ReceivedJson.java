package org.svcmailbox.web.delivery;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.web.json.EnvelopeJson;
import org.svcmailbox.web.json.Json;

/** Generates the JSON of received messages field by field. */
public final class ReceivedJson {
  private static final int ENVELOPE_ESTIMATE = 640;

  private ReceivedJson() {}

  private static final class Output extends ByteArrayOutputStream {
    Output(int capacity) {
      super(capacity);
    }

    /** Not a copy. */
    ByteBuffer written() {
      return ByteBuffer.wrap(buf, 0, count);
    }
  }

  private interface Writer<T> {
    void write(JsonGenerator json, T message) throws IOException;
  }

  /** Bytes that the caller owns, up to the limit of an array that may be longer. */
  static ByteBuffer of(Delivered delivered) {
    return of(delivered.messages(), LeasedMessage::message, ReceivedJson::writeLeased).written();
  }

  static byte[] of(List<StoredMessage> peeked) {
    return of(peeked, Function.identity(), ReceivedJson::writePeeked).toByteArray();
  }

  private static <T> Output of(
      List<T> messages, Function<T, StoredMessage> stored, Writer<T> writer) {
    int estimate = messages.stream().map(stored).mapToInt(ReceivedJson::estimate).sum();
    Output bytes = new Output(ENVELOPE_ESTIMATE + estimate);
    try (JsonGenerator json = Json.factory().createGenerator(bytes)) {
      json.writeStartObject();
      json.writeArrayFieldStart("messages");
      for (T message : messages) {
        json.writeStartObject();
        writer.write(json, message);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes;
  }

  private static int estimate(StoredMessage message) {
    return ENVELOPE_ESTIMATE + message.payload().size() / 3 * 4;
  }

  private static void writeLeased(JsonGenerator json, LeasedMessage leased) throws IOException {
    writeBeforePayload(json, leased.message());
    writePayload(json, leased.message().payload());
    writeAfterPayload(json, leased);
  }

  /** Writes the fields of a leased message that follow the payload. */
  public static void writeAfterPayload(JsonGenerator json, LeasedMessage leased)
      throws IOException {
    json.writeStringField("receipt", leased.receipt().value());
    json.writeNumberField("visibility_ms", leased.visibility().toMillis());
    writeLastError(json, leased.message().nackReason());
  }

  private static void writePeeked(JsonGenerator json, StoredMessage message) throws IOException {
    writeBeforePayload(json, message);
    writePayload(json, message.payload());
    writeLastError(json, message.lastError());
  }

  /** Faster than the generator's own encoder, which writes character by character. */
  private static void writePayload(JsonGenerator json, Payload payload) throws IOException {
    byte[] base64 = Base64.getEncoder().encode(payload.bytes());
    json.writeRawUTF8String(base64, 0, base64.length);
    Arrays.fill(base64, (byte) 0);
  }

  /** Writes a message's fields into an open object, up to the name of the payload's. */
  public static void writeBeforePayload(JsonGenerator json, StoredMessage message)
      throws IOException {
    EnvelopeJson.write(json, message.envelope());
    TraceContext trace = message.trace();
    if (trace != null) {
      EnvelopeJson.writeTrace(json, trace);
    }
    json.writeFieldName("payload");
  }

  private static void writeLastError(JsonGenerator json, @Nullable String error)
      throws IOException {
    if (error != null) {
      json.writeStringField("last_error", error);
    }
  }
}
