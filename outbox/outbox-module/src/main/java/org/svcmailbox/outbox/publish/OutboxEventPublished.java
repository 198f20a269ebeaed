package org.svcmailbox.outbox.publish;

import java.time.Instant;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;

/**
 * An event that all its topics have accepted. For metrics only.
 *
 * @param outboxId the event's id
 * @param eventType its name
 * @param subject what it was published under
 * @param publishedAt when its row was marked, by the publisher's clock
 */
public record OutboxEventPublished(
    MessageId outboxId, String eventType, EventSubject subject, Instant publishedAt) {}
