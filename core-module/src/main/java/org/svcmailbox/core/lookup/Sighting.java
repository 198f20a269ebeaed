package org.svcmailbox.core.lookup;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.MessageHistory;

/**
 * A message that was seen in a place.
 *
 * @param envelope null if it cannot be read there
 * @param until when a lease ends, or when a scheduled message is due; else null
 * @param state what the place tells
 */
public record Sighting(
    Whereabouts where,
    TopicName topic,
    @Nullable Envelope envelope,
    MessageHistory history,
    @Nullable Instant until,
    Fact state) {}
