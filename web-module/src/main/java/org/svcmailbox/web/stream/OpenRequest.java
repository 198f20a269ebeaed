package org.svcmailbox.web.stream;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.request.StreamFields;
import org.svcmailbox.core.request.StreamFields.ResumeFields;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.stream.StreamRequest;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body that opens a stream. */
record OpenRequest(
    @Nullable String topic,
    @Nullable Long visibilityMs,
    @Nullable Integer shard,
    @Nullable Integer window,
    @Nullable Long windowBytes,
    @Nullable String onClose,
    @Nullable ResumeFields resume)
    implements JsonRequest {
  /** In bytes. */
  static final int MAX_BODY = 4 << 10;

  /** As {@link StreamFields#checked}. */
  StreamRequest checked(MailboxSettings settings) {
    return new StreamFields(topic, visibilityMs, shard, window, windowBytes, onClose, resume)
        .checked(settings);
  }
}
