/**
 * The index of dead letters in the database. Invariant: it can be discarded at any time, because
 * the broker's queues contain everything in it.
 */
@NullMarked
package org.svcmailbox.ejb.deadletter;

import org.jspecify.annotations.NullMarked;
