package org.svcmailbox.core.bounds;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.settings.FairShare;

/**
 * A limit that all callers share, and of which each topic and each capability has a fair share.
 * Everything narrowed from a capability counts as that capability. Any thread.
 */
public final class SharedLimit implements FairBound {
  static final String TOPIC_SHARE =
      "the topic has its share of this bound, and others need the rest";
  static final String CAPABILITY_SHARE =
      "the capability has its share of this bound, and others need the rest";

  private final CapacityLimit total;
  private final Shares<TopicName> topics;
  private final Shares<CapabilityId> capabilities;

  SharedLimit(CapacityLimit total, FairShare rule) {
    this.total = total;
    this.topics = new Shares<>(rule, total);
    this.capabilities = new Shares<>(rule, total);
  }

  /**
   * Counts an amount, or returns the reason why it cannot.
   *
   * @param capability null for work of no client
   */
  public @Nullable Refusal tryAdd(long amount, TopicName topic, @Nullable CapabilityId capability) {
    if (!total.tryAdd(amount)) {
      return total.refuse();
    }
    if (!topics.tryAdd(topic, amount)) {
      total.undo(amount);
      return total.refuse(TOPIC_SHARE);
    }
    if (capability != null && !capabilities.tryAdd(capability, amount)) {
      topics.remove(topic, amount);
      total.undo(amount);
      return total.refuse(CAPABILITY_SHARE);
    }
    return null;
  }

  /** Removes a counted amount, and counts it towards the drain rate. */
  public void remove(long amount, TopicName topic, @Nullable CapabilityId capability) {
    leave(amount, topic, capability);
    total.remove(amount);
  }

  /** Removes a counted amount, without counting it towards the drain rate. */
  public void undo(long amount, TopicName topic, @Nullable CapabilityId capability) {
    leave(amount, topic, capability);
    total.undo(amount);
  }

  private void leave(long amount, TopicName topic, @Nullable CapabilityId capability) {
    topics.remove(topic, amount);
    if (capability != null) {
      capabilities.remove(capability, amount);
    }
  }

  @Override
  public CapacityLimit total() {
    return total;
  }

  public Shares<TopicName> topics() {
    return topics;
  }

  public Shares<CapabilityId> capabilities() {
    return capabilities;
  }

  @Override
  public List<Shares.Part<TopicName>> largestTopics(int limit) {
    return topics.largest(limit);
  }

  @Override
  public List<Shares.Part<CapabilityId>> largestCapabilities(int limit) {
    return capabilities.largest(limit);
  }
}
