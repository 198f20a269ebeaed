package org.svcmailbox.core.worker.state;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.Holding;
import org.svcmailbox.core.bounds.StreamWindow;
import org.svcmailbox.core.bounds.TopicCounters;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.capability.caveat.LeaseHolder;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.Topic;

/** A client's exclusive hold on a delivered message until a deadline. Owned by the worker. */
public final class Lease implements Holding {
  private final ShardState shard;
  private final Topic topic;
  private final Delivery delivery;
  private final Receipt receipt;
  private final LeaseHolder holder;
  private final long until;
  private long deadline;
  private boolean held;
  private boolean withdrawn;
  private @Nullable StreamWindow window;

  /**
   * @param until the latest possible deadline
   */
  public Lease(
      ShardState shard,
      Topic topic,
      Delivery delivery,
      Receipt receipt,
      LeaseHolder holder,
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

  public ShardState shard() {
    return shard;
  }

  /** The topic when the lease was made. */
  public Topic topic() {
    return topic;
  }

  public Delivery delivery() {
    return delivery;
  }

  @Override
  public MsgId msgId() {
    return delivery.message().envelope().msgId();
  }

  public int attempt() {
    return delivery.message().envelope().attempt();
  }

  public Receipt receipt() {
    return receipt;
  }

  @Override
  public LeaseHolder holder() {
    return holder;
  }

  @Override
  public boolean isHeld() {
    return held;
  }

  @Override
  public void held(boolean counted) {
    held = counted;
  }

  @Override
  public TopicName topicName() {
    return topic.name();
  }

  @Override
  public int size() {
    return delivery.message().payload().size();
  }

  @Override
  public TopicCounters topicCounters() {
    return shard.counters().topic();
  }

  public long deadline() {
    return deadline;
  }

  public long until() {
    return until;
  }

  /** Whether an operator has ended it; it then cannot be extended. */
  public boolean isWithdrawn() {
    return withdrawn;
  }

  /** Counts in the window of a stream until it ends; false if the window refuses it. */
  public boolean tryEnter(StreamWindow ofStream, StreamWindow.Held held) {
    boolean isIn = ofStream.tryEnter(held);
    window = isIn ? ofStream : null;
    return isIn;
  }

  /** Whether no client has got the message, nor will get it any more. */
  public boolean isUnread() {
    return window != null && window.isUnread(receipt);
  }

  public boolean isOfStream() {
    return window != null;
  }

  /**
   * Leaves the window of its stream, once others can have the message or it is gone. Idempotent.
   */
  public void leaveWindow() {
    StreamWindow left = window;
    if (left != null) {
      window = null;
      left.left(receipt);
    }
  }

  void extendTo(long later) {
    deadline = later;
  }

  void withdraw(long now) {
    deadline = deadline - now > 0 ? now : deadline;
    withdrawn = true;
  }
}
