package org.svcmailbox.core.broker;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.message.MessageHistory;

/**
 * A message in a shard's queue, without its payload.
 *
 * @param envelope null if it cannot be read there
 * @param since when it became ready, or will (wall clock)
 * @param isScheduled whether it is not yet due
 */
public record QueuedMessage(
    @Nullable Envelope envelope,
    Instant since,
    boolean isScheduled,
    @Nullable String lastError,
    MessageHistory history) {}
