package org.svcmailbox.core.deadletter;

/** A dead letter with the verdict of its ledger. */
public record CheckedLetter(LetterContent content, Evidence evidence) {}
