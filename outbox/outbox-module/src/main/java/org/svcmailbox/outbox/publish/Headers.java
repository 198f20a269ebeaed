package org.svcmailbox.outbox.publish;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.CorrelationContext;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.event.TraceContext;

/**
 * The metadata of a published event.
 *
 * @param messageId the event's id, which is the key: a repeated publish is the same message
 * @param aggregate what the topic keeps in order
 * @param occurredAt when the event happened
 * @param correlation how it relates to others
 * @param trace the trace that it belongs to
 */
public record Headers(
    MessageId messageId,
    String aggregate,
    Instant occurredAt,
    CorrelationContext correlation,
    @Nullable TraceContext trace) {
  static Headers of(OutboxEvent event, @Nullable TraceContext trace) {
    return new Headers(
        event.messageId(),
        event.aggregate(),
        event.occurredAt(),
        new CorrelationContext(event.correlationId(), event.causationId()),
        trace);
  }
}
