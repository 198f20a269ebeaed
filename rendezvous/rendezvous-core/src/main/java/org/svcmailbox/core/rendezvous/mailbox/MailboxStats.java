package org.svcmailbox.core.rendezvous.mailbox;

/**
 * Statistics of one mailbox.
 *
 * @param messages including one that is being written
 */
record MailboxStats(
    int messages, long bytes, int waiting, boolean isHandingOver, long nextSequence) {}
