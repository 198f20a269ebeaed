package org.svcmailbox.core.deadletter;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.message.MessageHistory;

/** A dead letter with its content. A null {@code ttl} means its topic's retention. */
public record LetterContent(
    DeadLetter letter,
    Payload payload,
    MessageHistory history,
    Instant expiresAt,
    @Nullable Duration ttl,
    @Nullable TraceContext trace) {}
