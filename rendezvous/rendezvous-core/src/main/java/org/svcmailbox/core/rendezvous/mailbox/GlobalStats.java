package org.svcmailbox.core.rendezvous.mailbox;

/**
 * Statistics of all mailboxes. {@code messages} includes those being written; {@code evicted}
 * expired, {@code returned} were not written, {@code lost} remained at shutdown.
 */
public record GlobalStats(
    int mailboxes,
    int messages,
    long bytes,
    int waiting,
    long delivered,
    long evicted,
    long returned,
    long lost) {}
