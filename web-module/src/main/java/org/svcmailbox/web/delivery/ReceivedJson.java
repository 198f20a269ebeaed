package org.svcmailbox.web.delivery;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.web.json.Json;

/** The JSON of received messages, generated field by field. */
final class ReceivedJson {
  private static final int ENVELOPE_ESTIMATE = 640;

  private ReceivedJson() {}

  static byte[] of(Delivered delivered) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(estimate(delivered));
    try (JsonGenerator json = Json.factory().createGenerator(bytes)) {
      json.writeStartObject();
      json.writeArrayFieldStart("messages");
      for (LeasedMessage message : delivered.messages()) {
        write(json, message);
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  private static int estimate(Delivered delivered) {
    int sum = ENVELOPE_ESTIMATE;
    for (LeasedMessage leased : delivered.messages()) {
      sum += ENVELOPE_ESTIMATE + leased.message().payload().size() / 3 * 4;
    }
    return sum;
  }

  private static void write(JsonGenerator json, LeasedMessage leased) throws IOException {
    json.writeStartObject();
    writeEnvelope(json, leased.message().envelope());
    TraceContext trace = leased.message().trace();
    if (trace != null) {
      writeTrace(json, trace);
    }
    byte[] payload = leased.message().payload().bytes();
    json.writeFieldName("payload");
    json.writeBinary(payload);
    json.writeStringField("receipt", leased.receipt().value());
    json.writeNumberField("visibility_ms", leased.visibility().toMillis());
    json.writeEndObject();
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
