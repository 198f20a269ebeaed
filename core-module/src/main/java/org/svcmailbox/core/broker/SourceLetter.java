package org.svcmailbox.core.broker;

import org.svcmailbox.core.message.MessageHistory;

/**
 * The dead letter that becomes a new message. The transaction that enqueues the message removes it.
 *
 * @param history of the new message
 */
public record SourceLetter(LetterAddress letter, MessageHistory history) {}
