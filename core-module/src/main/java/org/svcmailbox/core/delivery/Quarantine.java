package org.svcmailbox.core.delivery;

/**
 * What a dead letter says about itself (I-4).
 *
 * @param attempt how many deliveries it had
 * @param lastError why the last one failed
 */
public record Quarantine(DeadLetterReason reason, int attempt, String lastError) {}
