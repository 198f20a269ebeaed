package org.svcmailbox.outbox.inbox;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.JsonText;
import org.svcmailbox.outbox.event.NewEvent;

/** The news that a message became a dead letter, published under {@code {context}.dlq.>}. */
final class MessageDeadLettered {
  private static final String AGGREGATE = "inbox_message";

  private MessageDeadLettered() {}

  /**
   * The event.
   *
   * @param event what the message carried; the event follows from it
   */
  static NewEvent of(DeadLetter letter, HandlerPayload event) {
    return of(letter, event.correlationId()).withTrace(event.trace());
  }

  /** The event of a message whose correlation may be unknown. */
  static NewEvent of(DeadLetter letter, @Nullable UUID correlationId) {
    return NewEvent.of(
            AGGREGATE,
            letter.messageId().toString(),
            letter.originalSubject().deadLetterType(),
            json(letter))
        .withCorrelation(correlationId, letter.messageId().value());
  }

  private static String json(DeadLetter letter) {
    return JsonText.object(
        json -> {
          json.writeStringField("message_id", letter.messageId().toString());
          json.writeStringField("original_subject", letter.originalSubject().value());
          json.writeStringField("reason", letter.reason());
          json.writeNumberField("attempts", letter.attempts());
        });
  }
}
