/**
 * Jobs that redrive or discard dead letters, and single letters resent with changes. Invariants: a
 * job's letters are fixed at its start; a letter leaves its queue in the transaction that enqueues
 * its message. A job's row names the letters before their transaction commits, so that recovery
 * counts exactly.
 */
@NullMarked
package org.svcmailbox.core.redrive;

import org.jspecify.annotations.NullMarked;
