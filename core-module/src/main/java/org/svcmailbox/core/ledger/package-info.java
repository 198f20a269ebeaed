/**
 * The ledger: each shard's contiguous, linked list of accepted messages, which reveals any removal
 * or reordering.
 */
@NullMarked
package org.svcmailbox.core.ledger;

import org.jspecify.annotations.NullMarked;
