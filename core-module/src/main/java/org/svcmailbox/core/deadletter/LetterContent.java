package org.svcmailbox.core.deadletter;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.MessageHistory;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TraceContext;

/**
 * A dead letter with everything that is in it.
 *
 * @param history what happened to the message, as far as it can be read
 * @param expiresAt until when it is kept (wall clock)
 * @param ttl how long the message may be ready before it expires, null for its topic's retention
 * @param trace where the message stands in its sender's trace, if that was said
 */
public record LetterContent(
    DeadLetter letter,
    Payload payload,
    MessageHistory history,
    Instant expiresAt,
    @Nullable Duration ttl,
    @Nullable TraceContext trace) {}
