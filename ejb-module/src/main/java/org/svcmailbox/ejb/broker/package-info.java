/**
 * The adapter of the broker's port on Artemis: sessions, logs, scheduled messages, and the check of
 * the broker's settings. Invariants: a copy of a message is only ever sent in the transaction that
 * acknowledges the original; nothing here keeps a message anywhere but in the broker.
 */
@NullMarked
package org.svcmailbox.ejb.broker;

import org.jspecify.annotations.NullMarked;
