package org.svcmailbox.outbox.event;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code outbox_events}, as it was read. Its values can be anything that the table takes:
 * {@link EventRules#require(OutboxEvent, String)} checks them.
 *
 * @param id the event's id
 * @param aggregateType the kind of thing that the event happened to
 * @param aggregateId the thing
 * @param eventType the event's name
 * @param eventVersion the version of its payload
 * @param payload JSON
 * @param occurredAt when it happened, to the microsecond
 * @param correlationId shared by everything that follows from one request
 * @param causationId the message that led to the event
 * @param publishedAt when every route had accepted it; null before
 * @param publishAttempts how often it was tried
 * @param publishError why the last attempt failed
 */
public record OutboxEvent(
    UUID id,
    String aggregateType,
    String aggregateId,
    String eventType,
    int eventVersion,
    Payload payload,
    Instant occurredAt,
    @Nullable UUID correlationId,
    @Nullable UUID causationId,
    @Nullable Instant publishedAt,
    int publishAttempts,
    @Nullable String publishError) {
  /** The id of the message that carries this event. */
  public MessageId messageId() {
    return new MessageId(id);
  }

  /** The aggregate: events that share it keep their order. */
  public String aggregate() {
    return aggregateType + ":" + aggregateId;
  }
}
