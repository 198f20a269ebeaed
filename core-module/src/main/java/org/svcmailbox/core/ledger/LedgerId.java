package org.svcmailbox.core.ledger;

/** Names a ledger: there is one for each shard of each topic. */
public record LedgerId(int topicId, int shard) {}
