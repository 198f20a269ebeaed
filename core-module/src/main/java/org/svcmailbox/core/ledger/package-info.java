/**
 * The ledger: per shard a contiguous, linked list of what was accepted, so that a removal or a
 * reordering shows (D5).
 */
@NullMarked
package org.svcmailbox.core.ledger;

import org.jspecify.annotations.NullMarked;
