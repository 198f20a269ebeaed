package org.svcmailbox.core.delivery;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.Payload;

/**
 * A message as the broker holds it.
 *
 * @param lastError why its last delivery failed, null before the first failure
 * @param expiresAt when, unread, it becomes a dead letter (wall clock)
 */
public record StoredMessage(
    Envelope envelope, Payload payload, @Nullable String lastError, Instant expiresAt) {}
