package org.svcmailbox.outbox.event;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event to record. {@link Outbox#record} checks it.
 *
 * <pre>{@code
 * outbox.record(NewEvent.of("order", "o-17", "order_placed", json).withVersion(2));
 * }</pre>
 *
 * @param id the event's id; random by default
 * @param aggregateType the kind of thing that the event happened to
 * @param aggregateId the thing; events of one are delivered in order
 * @param eventType the event's name
 * @param eventVersion the version of its payload, from 1
 * @param payload JSON, at most {@link EventRules#MAX_PAYLOAD_BYTES} as UTF-8
 * @param occurredAt when it happened; null for the database's time of recording, which keeps the
 *     order of writers that waited for each other
 * @param correlation how it relates to others
 * @param trace the trace that it belongs to
 */
public record NewEvent(
    MessageId id,
    String aggregateType,
    String aggregateId,
    String eventType,
    int eventVersion,
    Payload payload,
    @Nullable Instant occurredAt,
    CorrelationContext correlation,
    @Nullable TraceContext trace) {
  /** An event of version 1, with the time of its recording. */
  public static NewEvent of(
      String aggregateType, String aggregateId, String eventType, String json) {
    return new NewEvent(
        MessageId.next(),
        aggregateType,
        aggregateId,
        eventType,
        1,
        new Payload(json),
        null,
        CorrelationContext.NONE,
        null);
  }

  /** A copy with this id. */
  public NewEvent withId(MessageId value) {
    return new NewEvent(
        value,
        aggregateType,
        aggregateId,
        eventType,
        eventVersion,
        payload,
        occurredAt,
        correlation,
        trace);
  }

  /** The same event with another version of its payload. */
  public NewEvent withVersion(int value) {
    return new NewEvent(
        id, aggregateType, aggregateId, eventType, value, payload, occurredAt, correlation, trace);
  }

  /** The same event with the time at which it happened. */
  public NewEvent withOccurredAt(Instant value) {
    return new NewEvent(
        id,
        aggregateType,
        aggregateId,
        eventType,
        eventVersion,
        payload,
        value,
        correlation,
        trace);
  }

  /** The same event, related to others. */
  public NewEvent withCorrelation(@Nullable UUID correlationId, @Nullable UUID causationId) {
    return new NewEvent(
        id,
        aggregateType,
        aggregateId,
        eventType,
        eventVersion,
        payload,
        occurredAt,
        new CorrelationContext(correlationId, causationId),
        trace);
  }

  /** The same event as part of a trace. */
  public NewEvent withTrace(@Nullable TraceContext value) {
    return new NewEvent(
        id,
        aggregateType,
        aggregateId,
        eventType,
        eventVersion,
        payload,
        occurredAt,
        correlation,
        value);
  }
}
