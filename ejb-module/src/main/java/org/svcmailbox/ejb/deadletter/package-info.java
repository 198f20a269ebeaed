/**
 * The index of dead letters in the database. Invariant: it can be thrown away at any time; the
 * broker's queues have everything that is in it.
 */
@NullMarked
package org.svcmailbox.ejb.deadletter;

import org.jspecify.annotations.NullMarked;
