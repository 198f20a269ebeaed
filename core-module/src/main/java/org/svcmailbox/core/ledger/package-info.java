/**
 * The ledger: for each shard a contiguous, linked list of accepted messages, so that a removal or a
 * reordering shows.
 */
@NullMarked
package org.svcmailbox.core.ledger;

import org.jspecify.annotations.NullMarked;
