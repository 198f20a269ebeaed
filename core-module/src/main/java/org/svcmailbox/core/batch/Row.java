package org.svcmailbox.core.batch;

import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerEntry;

/** One message of a batch: the key it takes and its entry in a shard's ledger. */
public record Row(
    IdempotencyKey key, Reservation reservation, int topicId, int shard, LedgerEntry entry) {}
