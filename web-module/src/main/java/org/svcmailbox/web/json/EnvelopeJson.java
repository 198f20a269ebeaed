package org.svcmailbox.web.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Map;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.envelope.TraceContext;

/** Writes envelopes and trace contexts as JSON fields. */
public final class EnvelopeJson {
  private EnvelopeJson() {}

  public static void write(JsonGenerator json, Envelope envelope) throws IOException {
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

  public static void writeTrace(JsonGenerator json, TraceContext trace) throws IOException {
    json.writeStringField("traceparent", trace.parent());
    if (trace.state() != null) {
      json.writeStringField("tracestate", trace.state());
    }
  }
}
