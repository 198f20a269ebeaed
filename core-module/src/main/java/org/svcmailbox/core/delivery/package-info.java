/**
 * A message's life between SEND and ACK: shard workers, leases, visibility, attempts, quarantine.
 * Invariants: a message has at most one live lease; nothing is answered before it is on disk; what
 * a broken session held goes back to the broker.
 */
@NullMarked
package org.svcmailbox.core.delivery;

import org.jspecify.annotations.NullMarked;
