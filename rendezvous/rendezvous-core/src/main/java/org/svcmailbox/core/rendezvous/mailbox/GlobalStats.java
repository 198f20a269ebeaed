package org.svcmailbox.core.rendezvous.mailbox;

/**
 * Statistics of all mailboxes.
 *
 * @param messages including those being written
 * @param evicted messages that expired
 * @param returned messages that could not be written
 * @param lost messages that remained at shutdown
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
