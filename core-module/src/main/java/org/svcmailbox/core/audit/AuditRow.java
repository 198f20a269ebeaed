package org.svcmailbox.core.audit;

/** A stored audit entry; numbers start at 1, increase and are never reused. */
public record AuditRow(long no, AuditEntry entry) {}
