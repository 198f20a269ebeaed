package org.svcmailbox.core.deadletter;

/**
 * A dead letter, and whether it is what was sent.
 *
 * @param evidence what the ledger said when it was read
 */
public record CheckedLetter(LetterContent content, Evidence evidence) {}
