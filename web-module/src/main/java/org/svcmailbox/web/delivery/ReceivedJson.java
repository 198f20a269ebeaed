package org.svcmailbox.web.delivery;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.StoredMessage;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.web.json.Json;

/** The JSON of received messages, generated field by field. */
final class ReceivedJson {
  private static final int ENVELOPE_ESTIMATE = 640;

  private ReceivedJson() {}

  private interface Writer<T> {
    void write(JsonGenerator json, T message) throws IOException;
  }

  /** Of messages that were handed out. */
  static byte[] of(Delivered delivered) {
    return of(delivered.messages(), LeasedMessage::message, ReceivedJson::writeLeased);
  }

  /** Of messages that were only looked at. */
  static byte[] of(List<StoredMessage> peeked) {
    return of(peeked, Function.identity(), ReceivedJson::writePeeked);
  }

  private static <T> byte[] of(
      List<T> messages, Function<T, StoredMessage> stored, Writer<T> writer) {
    int estimate = messages.stream().map(stored).mapToInt(ReceivedJson::estimate).sum();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(ENVELOPE_ESTIMATE + estimate);
    try (JsonGenerator json = Json.factory().createGenerator(bytes)) {
      json.writeStartObject();
      json.writeArrayFieldStart("messages");
      for (T message : messages) {
        json.writeStartObject();
        write(json, stored.apply(message));
        writer.write(json, message);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  private static int estimate(StoredMessage message) {
    return ENVELOPE_ESTIMATE + message.payload().size() / 3 * 4;
  }

  private static void write(JsonGenerator json, StoredMessage message) throws IOException {
    writeEnvelope(json, message.envelope());
    TraceContext trace = message.trace();
    if (trace != null) {
      writeTrace(json, trace);
    }
    json.writeFieldName("payload");
    json.writeBinary(message.payload().bytes());
  }

  private static void writeLeased(JsonGenerator json, LeasedMessage leased) throws IOException {
    json.writeStringField("receipt", leased.receipt().value());
    json.writeNumberField("visibility_ms", leased.visibility().toMillis());
  }

  private static void writePeeked(JsonGenerator json, StoredMessage message) throws IOException {
    if (message.lastError() != null) {
      json.writeStringField("last_error", message.lastError());
    }
  }

  private static void writeTrace(JsonGenerator json, TraceContext trace) throws IOException {
    json.writeStringField("traceparent", trace.parent());
    if (trace.state() != null) {
      json.writeStringField("tracestate", trace.state());
    }
  }

  private static void writeEnvelope(JsonGenerator json, Envelope envelope) throws IOException {
    json.writeStringField("msg_id", envelope.msgId().toString());
    json.writeStringField("topic", envelope.topic().value());
    json.writeStringField("ts", Timestamps.text(envelope.ts()));
    json.writeStringField("idem_key", envelope.idemKey().value());
    json.writeStringField("payload_hash", envelope.payloadHash().toString());
    writeAttributes(json, envelope.attrs().values());
    json.writeStringField("corr_id", envelope.corrId().value());
    json.writeNumberField("shard", envelope.shard());
    json.writeNumberField("seq", envelope.seq());
    json.writeNumberField("attempt", envelope.attempt());
    json.writeStringField("hash_chain", envelope.hashChain().toString());
    if (envelope.sig() != null) {
      json.writeStringField("sig", envelope.sig().value());
    }
  }

  private static void writeAttributes(JsonGenerator json, Map<String, String> attrs)
      throws IOException {
    json.writeObjectFieldStart("attrs");
    for (Map.Entry<String, String> attr : attrs.entrySet()) {
      json.writeStringField(attr.getKey(), attr.getValue());
    }
    json.writeEndObject();
  }
}
