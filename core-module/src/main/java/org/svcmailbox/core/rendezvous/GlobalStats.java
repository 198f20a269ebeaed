package org.svcmailbox.core.rendezvous;

/**
 * All mailboxes together.
 *
 * @param mailboxes that exist
 * @param messages they hold, those being written included
 * @param bytes those are charged
 * @param waiting GETs that wait
 * @param delivered messages whose response was written
 * @param evicted messages that expired
 * @param returned messages whose response was not written
 * @param lost messages that remained at the end
 */
record GlobalStats(
    int mailboxes,
    int messages,
    long bytes,
    int waiting,
    long delivered,
    long evicted,
    long returned,
    long lost) {}
