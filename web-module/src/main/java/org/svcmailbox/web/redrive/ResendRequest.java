package org.svcmailbox.web.redrive;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.redrive.RedriveService.Resend;
import org.svcmailbox.core.request.FieldRanges;
import org.svcmailbox.web.json.JsonRequest;
import org.svcmailbox.web.json.OperatorNote;

/** The JSON body of a resend. */
record ResendRequest(
    @Nullable Payload payload,
    @Nullable Map<String, @Nullable String> attrs,
    @Nullable String toTopic,
    @Nullable String idemKey,
    @Nullable Long ttlMs,
    @Nullable String note)
    implements JsonRequest {

  /**
   * Converts to core types.
   *
   * @throws SchemaException naming every refused field
   */
  Resend checked(TopicName topic, MsgId msgId) {
    FieldChecks checks = new FieldChecks();
    Attributes attributes =
        checks.optional(attrs, given -> new Attributes(FieldChecks.strings("attrs", given)));
    TopicName to = checks.optional(toTopic, text -> StartJobRequest.named("to_topic", text));
    IdemKey key = checks.optional(idemKey, IdemKey::new);
    Duration ttl = checks.optional(ttlMs, FieldRanges::ttl);
    String why = checks.required("note", note, OperatorNote::checked);
    return checks.end(
        () -> new Resend(topic, msgId, payload, attributes, to, key, ttl, requireNonNull(why)));
  }
}
