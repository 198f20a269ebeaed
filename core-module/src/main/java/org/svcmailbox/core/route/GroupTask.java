package org.svcmailbox.core.route;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.LeaseSelection;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;

/** A part of an operator's call, for the groups that a node serves. */
public sealed interface GroupTask {
  /** The topic that it is about. */
  TopicName topic();

  /** Whether it is safe and exact to repeat it after a lost answer. */
  boolean isRepeatable();

  /** Reads the next messages of one shard or all. */
  record Peek(TopicName topic, @Nullable Integer shard, int limit) implements GroupTask {
    @Override
    public boolean isRepeatable() {
      return true;
    }
  }

  /** Removes ready and scheduled messages, for a bounded time. */
  record Purge(TopicName topic) implements GroupTask {
    @Override
    public boolean isRepeatable() {
      return false;
    }
  }

  /** Removes one scheduled message. */
  record Cancel(TopicName topic, MsgId msgId) implements GroupTask {
    @Override
    public boolean isRepeatable() {
      return false;
    }
  }

  /** Lists the oldest leases. */
  record ListLeases(TopicName topic, int limit) implements GroupTask {
    @Override
    public boolean isRepeatable() {
      return true;
    }
  }

  /** Ends leases. */
  record EndLeases(TopicName topic, LeaseSelection which) implements GroupTask {
    @Override
    public boolean isRepeatable() {
      return false;
    }
  }

  /** Waits until the database has a shard's ledger as far as SENDs were answered. */
  record FollowLedger(TopicName topic, int shard) implements GroupTask {
    @Override
    public boolean isRepeatable() {
      return true;
    }
  }
}
