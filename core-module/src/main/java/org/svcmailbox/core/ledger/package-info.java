/**
 * The ledger: per shard a contiguous, linked list of what was accepted, so that a removal or a
 * reordering shows.
 */
@NullMarked
package org.svcmailbox.core.ledger;

import org.jspecify.annotations.NullMarked;
