package org.svcmailbox.web.delivery;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.web.header.HeaderField;
import org.svcmailbox.web.header.HeaderText;
import org.svcmailbox.web.json.JsonText;

/** The fields of one received message as headers; the counterpart of {@link ReceivedJson}. */
final class ReceivedHeaders {
  private final Map<String, String> headers = new LinkedHashMap<>();

  private ReceivedHeaders() {}

  /** Returns the headers by name; every value is printable ASCII. */
  static Map<String, String> of(LeasedMessage leased) {
    ReceivedHeaders received = new ReceivedHeaders();
    received.add(leased.message().envelope());
    received.add(leased.message().trace());
    received.add(HeaderField.RECEIPT, leased.receipt().value());
    received.add(HeaderField.VISIBILITY_MS, leased.visibility().toMillis());
    String error = leased.message().nackReason();
    if (error != null) {
      received.add(HeaderField.LAST_ERROR, error);
    }
    return received.headers;
  }

  private void add(Envelope envelope) {
    add(HeaderField.MSG_ID, envelope.msgId());
    add(HeaderField.TOPIC, envelope.topic().value());
    add(HeaderField.TS, Timestamps.text(envelope.ts()));
    add(HeaderField.IDEM_KEY, envelope.idemKey().value());
    add(HeaderField.PAYLOAD_HASH, envelope.payloadHash());
    headers.put(HeaderField.ATTRS.header(), JsonText.ascii(envelope.attrs().values()));
    add(HeaderField.CORR_ID, envelope.corrId().value());
    add(HeaderField.SHARD, envelope.shard());
    add(HeaderField.SEQ, envelope.seq());
    add(HeaderField.ATTEMPT, envelope.attempt());
    add(HeaderField.HASH_CHAIN, envelope.hashChain());
    if (envelope.sig() != null) {
      add(HeaderField.SIG, envelope.sig().value());
    }
  }

  private void add(@Nullable TraceContext trace) {
    if (trace != null) {
      headers.put("traceparent", trace.parent());
      if (trace.state() != null) {
        headers.put("tracestate", trace.state());
      }
    }
  }

  private void add(HeaderField field, Object value) {
    headers.put(field.header(), HeaderText.encoded(value.toString()));
  }
}
