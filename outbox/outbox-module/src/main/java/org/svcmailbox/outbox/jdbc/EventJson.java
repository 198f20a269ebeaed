package org.svcmailbox.outbox.jdbc;

import java.util.Objects;
import org.svcmailbox.outbox.event.JsonText;
import org.svcmailbox.outbox.event.OutboxEvent;

/** Writes a row of the outbox as JSON, with its payload as a text, because it need not be JSON. */
final class EventJson {
  private EventJson() {}

  static String of(OutboxEvent event) {
    return JsonText.object(
        json -> {
          json.writeStringField("id", event.id().toString());
          json.writeStringField("aggregate_type", event.aggregateType());
          json.writeStringField("aggregate_id", event.aggregateId());
          json.writeStringField("event_type", event.eventType());
          json.writeNumberField("event_version", event.eventVersion());
          json.writeStringField("payload", event.payload().json());
          json.writeStringField("occurred_at", event.occurredAt().toString());
          json.writeStringField("correlation_id", Objects.toString(event.correlationId(), null));
          json.writeStringField("causation_id", Objects.toString(event.causationId(), null));
          json.writeNumberField("publish_attempts", event.publishAttempts());
          json.writeStringField("publish_error", event.publishError());
        });
  }
}
