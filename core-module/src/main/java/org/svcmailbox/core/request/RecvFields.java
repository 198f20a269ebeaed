package org.svcmailbox.core.request;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.core.settings.MailboxSettings;

/** The fields of a RECV as its client wrote them; absent ones are null. */
public record RecvFields(
    @Nullable String topic,
    @Nullable Long visibilityMs,
    @Nullable Integer maxMessages,
    @Nullable Long maxBytes,
    @Nullable Long waitMs,
    @Nullable Integer shard) {

  /** Limits one answer, which is in memory as a whole. */
  private static final long MAX_FRAMES = 8;

  /**
   * Converts to core types.
   *
   * @throws org.svcmailbox.core.problem.SchemaException naming every refused field
   */
  public RecvRequest checked(MailboxSettings settings) {
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
