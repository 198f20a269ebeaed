package org.svcmailbox.core.bounds;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.settings.FairShare;
import org.svcmailbox.core.time.Ticker;

/**
 * The fair shares of topics and capabilities in the table of idempotency keys. The table does not
 * record the owner of a key, so a restart forgets the shares. Any thread.
 */
public final class KeyShares implements FairBound {
  private final FairShare rule;
  private final CapacityLimit total;
  private final Ticker ticker;
  private final long since;
  private final KeyWindows<TopicName> topics = new KeyWindows<>();
  private final KeyWindows<CapabilityId> capabilities = new KeyWindows<>();

  KeyShares(FairShare rule, CapacityLimit total, Ticker ticker) {
    this.rule = rule;
    this.total = total;
    this.ticker = ticker;
    this.since = ticker.nanos();
  }

  /**
   * The reason why the table, or the share of a topic or capability, has no room for one more key;
   * null if there is room.
   *
   * @param planned the keys about to be added, in total, by the topic and by the capability
   */
  public @Nullable Refusal refusal(
      TopicName topic, @Nullable CapabilityId capability, PlannedKeys planned) {
    long used = total.count() + planned.all() + 1;
    if (used > total.capacity()) {
      return total.refusal();
    }
    long now = millis();
    if (!rule.allows(total.capacity(), used, topics.of(topic, now) + planned.ofTopic(), 1)) {
      return total.refusal(SharedLimit.TOPIC_SHARE);
    }
    if (capability != null
        && !rule.allows(
            total.capacity(), used, capabilities.of(capability, now) + planned.ofCapability(), 1)) {
      return total.refusal(SharedLimit.CAPABILITY_SHARE);
    }
    return null;
  }

  /** Keys that one batch is about to add. */
  public record PlannedKeys(long all, long ofTopic, long ofCapability) {}

  /**
   * Counts a key for its topic and capability until its window ends. {@link #total} is counted
   * separately.
   */
  public void taken(TopicName topic, @Nullable CapabilityId capability, Duration window) {
    long now = millis();
    long end = now + window.toMillis();
    topics.add(topic, 1, now, end);
    if (capability != null) {
      capabilities.add(capability, 1, now, end);
    }
  }

  /** Forgets holders whose windows are all over. */
  public void prune() {
    topics.prune(millis());
    capabilities.prune(millis());
  }

  @Override
  public CapacityLimit total() {
    return total;
  }

  @Override
  public List<Shares.Part<TopicName>> largestTopics(int limit) {
    return topics.largest(limit, millis());
  }

  @Override
  public List<Shares.Part<CapabilityId>> largestCapabilities(int limit) {
    return capabilities.largest(limit, millis());
  }

  private long millis() {
    return TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - since);
  }
}
