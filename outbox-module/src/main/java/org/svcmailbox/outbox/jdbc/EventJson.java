package org.svcmailbox.outbox.jdbc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.svcmailbox.outbox.event.OutboxEvent;

/** Writes a row of the outbox as JSON, with its payload as a text, because it need not be JSON. */
final class EventJson {
  private static final JsonFactory JSON = new JsonFactory();

  private EventJson() {}

  static String of(OutboxEvent event) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
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
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }
}
