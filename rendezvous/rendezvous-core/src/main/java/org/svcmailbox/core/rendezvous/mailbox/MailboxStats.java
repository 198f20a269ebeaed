package org.svcmailbox.core.rendezvous.mailbox;

/** Statistics of one mailbox. {@code messages} includes one being written. */
record MailboxStats(
    int messages, long bytes, int waiting, boolean isHandingOver, long nextSequence) {}
