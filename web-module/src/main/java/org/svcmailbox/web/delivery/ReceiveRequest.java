package org.svcmailbox.web.delivery;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.json.FieldChecks;
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

  /** Bounds one answer, which is held in memory as a whole. */
  private static final long MAX_FRAMES = 8;

  /**
   * Converts to core types.
   *
   * @throws org.svcmailbox.core.problem.SchemaException naming every refused field
   */
  RecvRequest checked(MailboxSettings settings) {
    FieldChecks checks = new FieldChecks();
    TopicName name = checks.required("topic", topic, TopicName::new);
    Duration visibility =
        checks.optional(
            visibilityMs, millis -> FieldRanges.visibility(millis, settings.visibility()));
    long maxBytesAllowed = MAX_FRAMES * settings.request().maxFrame();
    return checks.end(
        () ->
            new RecvRequest(
                requireNonNull(name),
                visibility,
                maxMessages != null ? maxMessages : 1,
                maxBytes != null ? Math.min(maxBytes, maxBytesAllowed) : maxBytesAllowed,
                Duration.ofMillis(waitMs != null ? waitMs : 0),
                shard));
  }
}
