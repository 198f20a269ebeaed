package org.svcmailbox.web.delivery;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.request.RecvFields;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body of RECV. */
record ReceiveRequest(
    @Nullable String topic,
    @Nullable Long visibilityMs,
    @Nullable Integer maxMessages,
    @Nullable Long maxBytes,
    @Nullable Long waitMs,
    @Nullable Integer shard)
    implements JsonRequest {

  /** As {@link RecvFields#checked}. */
  RecvRequest checked(MailboxSettings settings) {
    return new RecvFields(topic, visibilityMs, maxMessages, maxBytes, waitMs, shard)
        .checked(settings);
  }
}
