/**
 * In-memory mailboxes for opaque bytes. Invariants: a mailbox delivers one message at a time, in
 * order of arrival; no message is evicted for another; no lock is held during I/O or a callback.
 */
@NullMarked
package org.svcmailbox.core.rendezvous;

import org.jspecify.annotations.NullMarked;
