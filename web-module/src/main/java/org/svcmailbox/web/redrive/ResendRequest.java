package org.svcmailbox.web.redrive;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.redrive.RedriveService.Resend;
import org.svcmailbox.web.json.FieldChecks;
import org.svcmailbox.web.json.JsonRequest;

/** The body of a letter that is to be sent again. */
record ResendRequest(
    @Nullable Payload payload,
    @Nullable Map<String, @Nullable String> attrs,
    @Nullable String toTopic,
    @Nullable String idemKey,
    @Nullable String note)
    implements JsonRequest {

  /**
   * The same in core types.
   *
   * @throws SchemaException naming every field that is refused
   */
  Resend checked(TopicName topic, MsgId msgId) {
    FieldChecks checks = new FieldChecks();
    Attributes attributes =
        checks.optional(attrs, given -> new Attributes(FieldChecks.strings("attrs", given)));
    TopicName to = checks.optional(toTopic, text -> StartJobRequest.named("to_topic", text));
    IdemKey key = checks.optional(idemKey, IdemKey::new);
    String why = checks.required("note", note, OperatorNote::checked);
    return checks.end(
        () -> new Resend(topic, msgId, payload, attributes, to, key, requireNonNull(why)));
  }
}
