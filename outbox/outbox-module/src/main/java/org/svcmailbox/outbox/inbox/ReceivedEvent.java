package org.svcmailbox.outbox.inbox;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.EventAttributes;
import org.svcmailbox.outbox.event.EventRules;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.event.Payload;

/** Reads the event that a message carries. */
final class ReceivedEvent {
  private ReceivedEvent() {}

  /**
   * The event.
   *
   * @throws OutboxException with {@link ErrorCode#INVALID_MESSAGE} if the message carries none
   */
  static HandlerPayload of(Delivery delivery) {
    if (delivery.defect() != null) {
      throw invalid(delivery.defect(), null);
    }
    Map<String, String> attributes = delivery.attributes();
    String body = delivery.body();
    if (body == null || EventRules.payload(body).isPresent()) {
      throw invalid("the body is not JSON", null);
    }
    try {
      EventSubject subject = new EventSubject(required(attributes, EventAttributes.SUBJECT));
      String type = required(attributes, EventAttributes.EVENT_TYPE);
      int version = Integer.parseInt(required(attributes, EventAttributes.EVENT_VERSION));
      if (!subject.eventType().equals(type) || subject.version() != version) {
        throw invalid("event type and version are not those of the subject", null);
      }
      return new HandlerPayload(
          MessageId.parse(required(attributes, EventAttributes.MESSAGE_ID)),
          subject,
          type,
          version,
          Instant.parse(required(attributes, EventAttributes.OCCURRED_AT)),
          id(attributes.get(EventAttributes.CORRELATION_ID)),
          id(attributes.get(EventAttributes.CAUSATION_ID)),
          new Payload(body),
          delivery.trace());
    } catch (IllegalArgumentException | DateTimeException e) {
      throw invalid("an attribute is malformed: " + e.getMessage(), e);
    } catch (OutboxException e) {
      throw e.code() == ErrorCode.INVALID_MESSAGE ? e : invalid("the subject is malformed", e);
    }
  }

  private static String required(Map<String, String> attributes, String name) {
    String value = attributes.get(name);
    if (value == null || value.isEmpty()) {
      throw invalid("attribute " + name + " is missing", null);
    }
    return value;
  }

  private static @Nullable UUID id(@Nullable String text) {
    return text == null ? null : MessageId.parse(text).value();
  }

  private static OutboxException invalid(String what, @Nullable Throwable cause) {
    return new OutboxException(ErrorCode.INVALID_MESSAGE, what, cause);
  }
}
