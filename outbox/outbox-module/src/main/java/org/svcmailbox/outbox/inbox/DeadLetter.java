package org.svcmailbox.outbox.inbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;

/**
 * A message that is a dead letter of the service, or will become one.
 *
 * @param messageId the event's id
 * @param msgId the message's id in the service; empty while no consumer has received it
 * @param originalSubject the subject of its publication
 * @param reason the reason for its death
 * @param attempts how often its handler was called
 * @param deadAt when it became a dead letter
 * @param routedAt when the service accepted it; null before
 */
public record DeadLetter(
    MessageId messageId,
    String msgId,
    EventSubject originalSubject,
    String reason,
    int attempts,
    Instant deadAt,
    @Nullable Instant routedAt) {
  /** The {@code msgId} of a message that no consumer held when it died. */
  static final String NOT_RECEIVED = "";

  /** Whether a consumer is to give it to the service when it comes. */
  boolean isNotReceived() {
    return msgId.equals(NOT_RECEIVED);
  }

  /** The same letter for a message that has just been received. */
  DeadLetter receivedAs(String id, Instant now) {
    return new DeadLetter(messageId, id, originalSubject, reason, attempts, now, routedAt);
  }
}
