/**
 * Hands leases from one owner of a group to the next. A drain, or a worker that gives the group
 * away, writes the remaining ones into the group's batch log. The next start or the heir takes them
 * over. Invariants: a lease is handed over once, no message has two leases, and a message that is
 * not found is ready again without costing an attempt.
 */
@NullMarked
package org.svcmailbox.core.worker.handover;

import org.jspecify.annotations.NullMarked;
