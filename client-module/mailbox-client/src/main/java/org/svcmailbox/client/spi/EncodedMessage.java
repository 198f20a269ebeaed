package org.svcmailbox.client.spi;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as a backend stores it. Checked before a driver sees it.
 *
 * @param payload the body
 * @param replyTo the name of the mailbox for replies
 * @param key what makes a repeated send the same message; null as well on the way back, from a
 *     backend that does not return it
 * @param group the group within which order is kept; as {@code key} on the way back
 * @param delay how long it stays hidden at first, zero or positive; zero on the way back
 * @param attributes the sender's attributes, unmodifiable
 * @param correlationId what relates it to others
 * @param traceparent its trace
 * @param tracestate what goes with {@code traceparent}
 */
public record EncodedMessage(
    EncodedBody payload,
    @Nullable String replyTo,
    @Nullable String key,
    @Nullable String group,
    Duration delay,
    Map<String, String> attributes,
    @Nullable String correlationId,
    @Nullable String traceparent,
    @Nullable String tracestate) {}
