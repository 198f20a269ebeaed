package org.svcmailbox.core.route;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;

/**
 * The messages that a RECV waits for.
 *
 * @param shard null for all
 */
public record ReadyKey(TopicName topic, @Nullable Integer shard) {}
