/**
 * The mailboxes, their messages and the GETs that wait for one. Invariants: a mailbox delivers one
 * message at a time, in order of arrival; no message is evicted for another; no lock is held during
 * I/O or a callback.
 */
@NullMarked
package org.svcmailbox.core.rendezvous.mailbox;

import org.jspecify.annotations.NullMarked;
