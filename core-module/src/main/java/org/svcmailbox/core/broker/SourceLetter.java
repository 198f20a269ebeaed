package org.svcmailbox.core.broker;

import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.message.MessageHistory;

/**
 * The dead letter that becomes a new message. The transaction that enqueues the message removes it.
 *
 * @param msgId of the letter
 * @param history of the new message
 */
public record SourceLetter(LetterAddress letter, MsgId msgId, MessageHistory history) {}
