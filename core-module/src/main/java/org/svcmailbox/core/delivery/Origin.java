package org.svcmailbox.core.delivery;

/**
 * The dead letter that a new message is made of. It leaves its queue in the transaction that
 * enqueues the message.
 *
 * @param letter where it is
 * @param history what happened to it, for the new message to go on with
 */
public record Origin(LetterAddress letter, MessageHistory history) {}
