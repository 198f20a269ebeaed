package org.svcmailbox.core.delivery;

import org.svcmailbox.core.envelope.TopicName;

/**
 * Where a dead letter is.
 *
 * @param topic whose it is
 * @param segment which of the topic's queues of dead letters it is in
 * @param place its number among all letters
 */
public record LetterAddress(TopicName topic, int segment, long place) {}
