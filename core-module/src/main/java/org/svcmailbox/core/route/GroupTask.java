package org.svcmailbox.core.route;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.LeaseSelection;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;

/** A part of an operator's call, for the groups that a node serves. */
public sealed interface GroupTask {
  /** The topic that it is about. */
  TopicName topic();

  /** May be repeated after a lost answer. */
  sealed interface Read extends GroupTask {}

  /** To repeat it after a lost answer would count twice, or miss what it did. */
  sealed interface Change extends GroupTask {}

  /** Reads the next messages of one shard or all. */
  record Peek(TopicName topic, @Nullable Integer shard, int limit) implements Read {}

  /** Removes ready and scheduled messages, for a bounded time. */
  record Purge(TopicName topic) implements Change {}

  /** Removes one scheduled message. */
  record Cancel(TopicName topic, MsgId msgId) implements Change {}

  /** Lists the oldest leases. */
  record ListLeases(TopicName topic, int limit) implements Read {}

  /** Ends leases. */
  record EndLeases(TopicName topic, LeaseSelection which) implements Change {}

  /** Waits until the database has a shard's ledger as far as SENDs were answered. */
  record FollowLedger(TopicName topic, int shard) implements Read {}
}
