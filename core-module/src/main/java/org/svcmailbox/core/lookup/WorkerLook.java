package org.svcmailbox.core.lookup;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;

/**
 * The knowledge of a worker about a message.
 *
 * @param seen null if it holds no such message
 * @param acked that the message was acknowledged; null if the worker does not remember that
 * @param ackedIn the topic of such a message; null likewise
 */
public record WorkerLook(
    @Nullable Sighting seen, @Nullable Fact acked, @Nullable TopicName ackedIn) {}
