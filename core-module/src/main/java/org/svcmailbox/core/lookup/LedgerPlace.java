package org.svcmailbox.core.lookup;

import org.svcmailbox.core.topic.ShardId;

/** The entry of a message in the ledger of its shard. */
public record LedgerPlace(ShardId shard, long seq) {}
