package org.svcmailbox.web.delivery;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.request.SendFields;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body of SEND, and one element of its batch. */
record SendMessageRequest(
    @Nullable String topic,
    @Nullable Payload payload,
    @Nullable String idemKey,
    @Nullable Map<String, @Nullable String> attrs,
    @Nullable String corrId,
    @Nullable String shardKey,
    @Nullable Long delayMs,
    @Nullable Long ttlMs,
    @Nullable String payloadHash,
    @Nullable String sig,
    @Nullable String traceparent,
    @Nullable String tracestate)
    implements JsonRequest {

  /** As {@link SendFields#checked}. */
  SendRequest checked(MailboxSettings.Request bounds) {
    return fields().checked(bounds);
  }

  SendFields fields() {
    return new SendFields(
        topic,
        payload,
        idemKey,
        attrs,
        corrId,
        shardKey,
        delayMs,
        ttlMs,
        payloadHash,
        sig,
        traceparent,
        tracestate);
  }
}
