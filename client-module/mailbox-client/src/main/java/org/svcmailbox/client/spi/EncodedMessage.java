package org.svcmailbox.client.spi;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as a backend stores it. Checked before a driver sees it.
 *
 * @param payload the body
 * @param replyTo the name of the mailbox for replies
 * @param key makes a repeated send the same message; also null in a received message, if the
 *     backend does not return it
 * @param group the group within which order is kept; in a received message as {@code key}
 * @param delay how long it stays hidden at first, zero or positive; zero in a received message
 * @param attributes the sender's attributes, unmodifiable
 * @param correlationId relates it to other messages
 * @param traceparent its trace
 * @param tracestate accompanies {@code traceparent}
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
