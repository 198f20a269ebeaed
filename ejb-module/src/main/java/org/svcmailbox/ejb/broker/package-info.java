/**
 * The adapter of the broker port on Artemis: sessions, batch logs, scheduled messages, and the
 * check of the broker's settings. Invariants: a copy of a message is only ever sent in the
 * transaction that acknowledges the original; messages are kept in the broker and nowhere else.
 */
@NullMarked
package org.svcmailbox.ejb.broker;

import org.jspecify.annotations.NullMarked;
