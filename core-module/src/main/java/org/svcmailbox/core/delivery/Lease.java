package org.svcmailbox.core.delivery;

import org.svcmailbox.core.capability.Capability;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.topic.Topic;

/** One client's hold on one delivered message until a deadline. Owned by the worker. */
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
   * @param deadline when it runs out unless it is extended, on the ticker
   * @param until how far it can be extended, on the ticker
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

  /** The topic as it was when the lease was taken. */
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

  /** What it was taken with. */
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

  /** Payload bytes of its message. */
  int size() {
    return delivery.message().payload().size();
  }

  /** When it runs out, on the ticker. */
  long deadline() {
    return deadline;
  }

  /** How far it can be extended, on the ticker. */
  long until() {
    return until;
  }

  void extendTo(long later) {
    deadline = later;
  }
}
