/**
 * Hands leases from one life of a worker to the next. A drain writes the remaining ones into the
 * worker's batch log, and the next start takes them over. Invariants: a lease is handed over once,
 * no message has two leases, and a message that is not found is ready again without costing an
 * attempt.
 */
@NullMarked
package org.svcmailbox.core.worker.handover;

import org.jspecify.annotations.NullMarked;
