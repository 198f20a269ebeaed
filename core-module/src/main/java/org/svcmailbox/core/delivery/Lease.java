package org.svcmailbox.core.delivery;

import org.svcmailbox.core.capability.Capability;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.topic.Topic;

/** A client's exclusive hold on a delivered message until a deadline. Owned by the worker. */
final class Lease {
  private final ShardState shard;
  private final Topic topic;
  private final Delivery delivery;
  private final Receipt receipt;
  private final Capability holder;
  private final long until;
  private long deadline;
  private boolean held;

  /**
   * @param until the latest possible deadline
   */
  Lease(
      ShardState shard,
      Topic topic,
      Delivery delivery,
      Receipt receipt,
      Capability holder,
      long deadline,
      long until) {
    this.shard = shard;
    this.topic = topic;
    this.holder = holder;
    this.delivery = delivery;
    this.receipt = receipt;
    this.deadline = deadline;
    this.until = until;
  }

  ShardState shard() {
    return shard;
  }

  /** As of the time of the lease. */
  Topic topic() {
    return topic;
  }

  Delivery delivery() {
    return delivery;
  }

  MsgId msgId() {
    return delivery.message().envelope().msgId();
  }

  int attempt() {
    return delivery.message().envelope().attempt();
  }

  Receipt receipt() {
    return receipt;
  }

  /** The capability it was taken with. */
  Capability holder() {
    return holder;
  }

  /** Whether it counts under its holder's ceilings. */
  boolean isHeld() {
    return held;
  }

  void held(boolean counted) {
    held = counted;
  }

  int size() {
    return delivery.message().payload().size();
  }

  long deadline() {
    return deadline;
  }

  long until() {
    return until;
  }

  void extendTo(long later) {
    deadline = later;
  }
}
