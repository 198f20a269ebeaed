package org.svcmailbox.outbox.inbox;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.JsonText;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.Payload;
import org.svcmailbox.outbox.event.TraceContext;

/**
 * The document that a handler is given, and its trace.
 *
 * @param messageId the event's id
 * @param subject what it was published under
 * @param eventType its name
 * @param eventVersion the version of its payload
 * @param occurredAt when it happened
 * @param correlationId shared by everything that follows from one request
 * @param causationId the message that led to the event
 * @param payload the event's own JSON
 * @param trace the trace that the event belongs to, which is no part of the document
 */
public record HandlerPayload(
    MessageId messageId,
    EventSubject subject,
    String eventType,
    int eventVersion,
    Instant occurredAt,
    @Nullable UUID correlationId,
    @Nullable UUID causationId,
    Payload payload,
    @Nullable TraceContext trace) {
  /** An event that belongs to no trace. */
  public HandlerPayload(
      MessageId messageId,
      EventSubject subject,
      String eventType,
      int eventVersion,
      Instant occurredAt,
      @Nullable UUID correlationId,
      @Nullable UUID causationId,
      Payload payload) {
    this(
        messageId,
        subject,
        eventType,
        eventVersion,
        occurredAt,
        correlationId,
        causationId,
        payload,
        null);
  }

  /** Its ids, for logs. */
  String ids() {
    return messageId + " (correlation " + correlationId + ", causation " + causationId + ")";
  }

  /** The document as JSON. Ids that are missing are null in it. */
  public String json() {
    return JsonText.object(
        json -> {
          json.writeStringField("message_id", messageId.toString());
          json.writeStringField("subject", subject.value());
          json.writeStringField("event_type", eventType);
          json.writeNumberField("event_version", eventVersion);
          json.writeStringField("occurred_at", occurredAt.toString());
          json.writeStringField("correlation_id", text(correlationId));
          json.writeStringField("causation_id", text(causationId));
          json.writeFieldName("payload");
          json.writeRawValue(payload.json());
        });
  }

  private static @Nullable String text(@Nullable UUID id) {
    return id == null ? null : id.toString();
  }
}
