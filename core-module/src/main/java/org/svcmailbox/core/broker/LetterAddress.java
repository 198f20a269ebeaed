package org.svcmailbox.core.broker;

import org.svcmailbox.core.envelope.TopicName;

/**
 * The address of a dead letter.
 *
 * @param segment the number of its queue within the topic
 * @param position its number among all letters
 */
public record LetterAddress(TopicName topic, int segment, long position) {}
