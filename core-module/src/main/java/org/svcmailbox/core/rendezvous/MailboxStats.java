package org.svcmailbox.core.rendezvous;

/**
 * One mailbox.
 *
 * @param messages it holds, one that is being written included
 * @param bytes those are charged
 * @param waiting GETs that wait for it
 * @param isHandingOver whether a message is being written
 * @param nextSequence the number of its next message
 */
record MailboxStats(
    int messages, long bytes, int waiting, boolean isHandingOver, long nextSequence) {}
