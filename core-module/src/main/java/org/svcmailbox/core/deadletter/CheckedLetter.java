package org.svcmailbox.core.deadletter;

import java.util.Map;

/**
 * A dead letter with the verdict of its ledger.
 *
 * @param names of the capabilities in its history, by nonce; without those that have none
 */
public record CheckedLetter(LetterContent content, Evidence evidence, Map<String, String> names) {}
