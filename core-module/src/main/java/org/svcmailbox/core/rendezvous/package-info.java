/**
 * The rendezvous door's mailboxes: opaque bytes are left for a recipient and taken out once. They
 * live in memory only. Invariants: a mailbox hands over one message at a time and in the order of
 * their arrival; no message is evicted to make room for another; no lock is held during I/O or a
 * callback.
 */
@NullMarked
package org.svcmailbox.core.rendezvous;

import org.jspecify.annotations.NullMarked;
