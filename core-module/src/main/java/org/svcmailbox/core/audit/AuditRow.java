package org.svcmailbox.core.audit;

/**
 * An entry of the audit as it is kept.
 *
 * @param no at least 1; grows with every entry, and is never used again
 */
public record AuditRow(long no, AuditEntry entry) {}
