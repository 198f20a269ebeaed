package org.svcmailbox.core.ledger;

/** Identifies a ledger: each shard of each topic has one. */
public record LedgerId(int topicId, int shard) {}
