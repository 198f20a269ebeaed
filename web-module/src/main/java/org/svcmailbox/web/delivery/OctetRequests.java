package org.svcmailbox.web.delivery;

import static org.svcmailbox.web.header.HeaderField.ATTRS;
import static org.svcmailbox.web.header.HeaderField.CORR_ID;
import static org.svcmailbox.web.header.HeaderField.DELAY_MS;
import static org.svcmailbox.web.header.HeaderField.IDEM_KEY;
import static org.svcmailbox.web.header.HeaderField.MAX_BYTES;
import static org.svcmailbox.web.header.HeaderField.PAYLOAD_HASH;
import static org.svcmailbox.web.header.HeaderField.SHARD;
import static org.svcmailbox.web.header.HeaderField.SHARD_KEY;
import static org.svcmailbox.web.header.HeaderField.SIG;
import static org.svcmailbox.web.header.HeaderField.TOPIC;
import static org.svcmailbox.web.header.HeaderField.TTL_MS;
import static org.svcmailbox.web.header.HeaderField.VISIBILITY_MS;
import static org.svcmailbox.web.header.HeaderField.WAIT_MS;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.request.RecvFields;
import org.svcmailbox.core.request.SendFields;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.header.HeaderField;
import org.svcmailbox.web.header.HeaderFields;

/** Parses SEND and RECV from headers, into the records of the JSON form with the same checks. */
final class OctetRequests {
  static final Set<HeaderField> SEND_FIELDS =
      Collections.unmodifiableSet(
          EnumSet.of(
              TOPIC, IDEM_KEY, ATTRS, CORR_ID, SHARD_KEY, DELAY_MS, TTL_MS, PAYLOAD_HASH, SIG));
  static final Set<HeaderField> RECV_FIELDS =
      Collections.unmodifiableSet(EnumSet.of(TOPIC, VISIBILITY_MS, WAIT_MS, MAX_BYTES, SHARD));

  private OctetRequests() {}

  /**
   * Parses a SEND.
   *
   * @throws SchemaException naming every refused header
   */
  static SendRequest send(
      Map<String, List<String>> headers, Payload payload, MailboxSettings.Request bounds) {
    HeaderFields fields = new HeaderFields(headers, SEND_FIELDS);
    SendFields message =
        new SendFields(
            fields.text(TOPIC),
            payload,
            fields.quotable(IDEM_KEY),
            fields.strings(ATTRS),
            fields.text(CORR_ID),
            fields.text(SHARD_KEY),
            fields.number(DELAY_MS),
            fields.number(TTL_MS),
            fields.text(PAYLOAD_HASH),
            fields.text(SIG),
            null,
            null);
    return fields.end(() -> message.checked(bounds));
  }

  /**
   * Parses a RECV of one message.
   *
   * @param body must be empty
   * @throws SchemaException naming every refused header
   */
  static RecvRequest recv(
      Map<String, List<String>> headers, Payload body, MailboxSettings settings) {
    if (body.size() > 0) {
      throw new SchemaException("body", "must be empty");
    }
    HeaderFields fields = new HeaderFields(headers, RECV_FIELDS);
    RecvFields request =
        new RecvFields(
            fields.text(TOPIC),
            fields.number(VISIBILITY_MS),
            1,
            fields.number(MAX_BYTES),
            fields.number(WAIT_MS),
            shard(fields.number(SHARD)));
    return fields.end(() -> request.checked(settings));
  }

  /** Replaces a number above any shard's by one that no topic has. */
  private static @Nullable Integer shard(@Nullable Long number) {
    return number == null ? null : (int) Math.min(number, Integer.MAX_VALUE);
  }
}
