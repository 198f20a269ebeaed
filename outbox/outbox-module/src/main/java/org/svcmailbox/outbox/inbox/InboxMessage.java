package org.svcmailbox.outbox.inbox;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.MessageId;

/**
 * A row of {@code inbox_messages}.
 *
 * @param messageId the event's id
 * @param subject what it was published under
 * @param receivedAt when it first came
 * @param processedAt when it was handled; null before
 * @param attempts how often its handler was called
 * @param lastError why the last attempt failed
 */
public record InboxMessage(
    UUID messageId,
    String subject,
    Instant receivedAt,
    @Nullable Instant processedAt,
    int attempts,
    @Nullable String lastError) {
  /** A message that has just come. */
  public static InboxMessage received(MessageId id, String subject, Instant now) {
    return new InboxMessage(id.value(), subject, now, null, 0, null);
  }
}
