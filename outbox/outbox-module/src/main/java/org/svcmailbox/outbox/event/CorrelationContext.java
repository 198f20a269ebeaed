package org.svcmailbox.outbox.event;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How an event relates to others.
 *
 * @param correlationId shared by all events and messages that result from one request
 * @param causationId the message that led to the event
 */
public record CorrelationContext(@Nullable UUID correlationId, @Nullable UUID causationId) {
  /** An event that relates to no other. */
  public static final CorrelationContext NONE = new CorrelationContext(null, null);
}
