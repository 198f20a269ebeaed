package org.svcmailbox.core.bounds;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Condition;
import org.svcmailbox.core.capability.caveat.LeaseHolder;
import org.svcmailbox.core.capability.caveat.Quota;
import org.svcmailbox.core.capability.caveat.VerifiedCapability;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.settings.FairShare;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.time.Ticker;

/** Counts leased messages and bytes, and leases under capabilities with a ceiling. Any thread. */
public final class InflightLimits {
  /** The limit that prevented a lease. */
  public enum Full {
    /** All leases of the process; the end of any of them makes room. */
    MESSAGES,
    /** The bytes of all leases; the end of any of them makes room. */
    BYTES,
    /** The leases of the topic; the end of any of them makes room. */
    TOPIC,
    /** The topic's share of all leases; others can also make room. */
    MESSAGES_OF_TOPIC,
    /** The topic's share of the bytes of all leases; others can also make room. */
    BYTES_OF_TOPIC,
    /** The capability's share of all leases or their bytes; others can also make room. */
    HOLDER_SHARE,
    /** The capability's ceiling; only its own holders make room. */
    HOLDER
  }

  private static final Duration HOLDER_RETRY = Duration.ofSeconds(1);

  private final SharedLimit messages;
  private final SharedLimit bytes;
  private final ConcurrentHashMap<String, Integer> held = new ConcurrentHashMap<>();
  private final LongAdder holdersRefused = new LongAdder();

  public InflightLimits(MailboxSettings.Bounds bounds, Ticker ticker) {
    FairShare share = bounds.fairShare();
    this.messages =
        new SharedLimit(
            new CapacityLimit(
                "global_inflight", "too many messages are in flight", bounds.inflight(), ticker),
            share);
    this.bytes =
        new SharedLimit(
            new CapacityLimit(
                "global_inflight_bytes",
                "too many bytes are in flight",
                bounds.inflightBytes(),
                ticker),
            share);
  }

  /** Counts one more lease; returns the limit that prevents it, or null. */
  public @Nullable Full tryAdd(int size, TopicName topic, CapacityLimit ofTopic, int mostOfTopic) {
    if (!messages.total().tryAdd(1)) {
      return Full.MESSAGES;
    }
    if (!bytes.total().tryAdd(size)) {
      messages.total().undo(1);
      return Full.BYTES;
    }
    Full full = shareOfTopic(size, topic, ofTopic, mostOfTopic);
    if (full != null) {
      messages.total().undo(1);
      bytes.total().undo(size);
    }
    return full;
  }

  private @Nullable Full shareOfTopic(
      int size, TopicName topic, CapacityLimit ofTopic, int mostOfTopic) {
    if (!ofTopic.tryAdd(1, mostOfTopic)) {
      return Full.TOPIC;
    }
    if (!messages.topics().tryAdd(topic, 1)) {
      ofTopic.undo(1);
      return Full.MESSAGES_OF_TOPIC;
    }
    if (!bytes.topics().tryAdd(topic, size)) {
      ofTopic.undo(1);
      messages.topics().remove(topic, 1);
      return Full.BYTES_OF_TOPIC;
    }
    return null;
  }

  /**
   * Counts a lease under its holder's ceilings and in its share, unless one is reached. Call it
   * only when the holder gets the lease, because workers also lease for calls that another worker
   * answers.
   */
  public boolean tryHold(Holding lease) {
    boolean held = enterShare(lease) && enterCeilings(lease);
    lease.held(held);
    return held;
  }

  private boolean enterShare(Holding lease) {
    CapabilityId id = lease.holder().id();
    if (!messages.capabilities().tryAdd(id, 1)) {
      return false;
    }
    if (!bytes.capabilities().tryAdd(id, lease.size())) {
      messages.capabilities().remove(id, 1);
      return false;
    }
    return true;
  }

  private boolean enterCeilings(Holding lease) {
    if (enter(lease.holder())) {
      return true;
    }
    leaveShare(lease);
    return false;
  }

  private void leaveShare(Holding lease) {
    CapabilityId id = lease.holder().id();
    messages.capabilities().remove(id, 1);
    bytes.capabilities().remove(id, lease.size());
  }

  /**
   * Counts a lease of an earlier process under all limits, even beyond them, because lowered
   * settings end no lease.
   */
  public void takeOver(Holding lease) {
    CapabilityId id = lease.holder().id();
    messages.total().add(1);
    messages.topics().add(lease.topicName(), 1);
    messages.capabilities().add(id, 1);
    bytes.total().add(lease.size());
    bytes.topics().add(lease.topicName(), lease.size());
    bytes.capabilities().add(id, lease.size());
    lease.topicCounters().inflight().add(1);
    lease.holder().ceilings().forEach(quota -> held.merge(quota.owner(), 1, Integer::sum));
    lease.held(true);
  }

  /** How many more leases a holder may have; an upper bound while others lease too. */
  public int room(VerifiedCapability holder) {
    int share = (int) Math.min(Integer.MAX_VALUE, messages.capabilities().room(holder.id()));
    boolean isAnyByte = bytes.capabilities().room(holder.id()) > 0;
    return isAnyByte ? Math.min(share, roomUnderCeilings(holder)) : 0;
  }

  /** The limit that leaves a holder no {@link #room}; null for one with room. */
  public @Nullable Full fullFor(VerifiedCapability holder) {
    if (roomUnderCeilings(holder) == 0) {
      return Full.HOLDER;
    }
    return room(holder) == 0 ? Full.HOLDER_SHARE : null;
  }

  private int roomUnderCeilings(VerifiedCapability holder) {
    return holder.ceilings().stream()
        .mapToInt(quota -> Math.max(0, quota.caveat().leases() - held(quota)))
        .min()
        .orElse(Integer.MAX_VALUE);
  }

  public void remove(Holding lease) {
    TopicName topic = lease.topicName();
    messages.topics().remove(topic, 1);
    bytes.topics().remove(topic, lease.size());
    if (lease.isHeld()) {
      leaveShare(lease);
      lease.holder().ceilings().forEach(this::leave);
    }
    messages.total().remove(1);
    bytes.total().remove(lease.size());
    lease.topicCounters().inflight().remove(1);
  }

  /** The reason why {@code holder} can lease nothing now; empty if it can. */
  public Optional<Refusal> refusal(VerifiedCapability holder) {
    if (messages.total().isFull()) {
      return Optional.of(messages.total().refusal());
    }
    if (bytes.total().isFull()) {
      return Optional.of(bytes.total().refusal());
    }
    return holderRefusal(holder);
  }

  public Refusal refusal(Full full, TopicCounters topic) {
    return switch (full) {
      case MESSAGES -> messages.total().refusal();
      case BYTES -> bytes.total().refusal();
      case TOPIC -> topic.inflight().refusal();
      case MESSAGES_OF_TOPIC -> messages.total().refusal(SharedLimit.TOPIC_SHARE);
      case BYTES_OF_TOPIC -> bytes.total().refusal(SharedLimit.TOPIC_SHARE);
      case HOLDER_SHARE -> messages.total().refusal(SharedLimit.CAPABILITY_SHARE);
      case HOLDER -> holderRefusal();
    };
  }

  public Refusal holderRefusal() {
    holdersRefused.increment();
    return Refusal.saturated(
        "max_inflight", "too many messages are held with this capability", HOLDER_RETRY);
  }

  /** The reason why the holder can have no lease on any topic; empty if it can. */
  public Optional<Refusal> holderRefusal(VerifiedCapability holder) {
    if (roomUnderCeilings(holder) == 0) {
      return Optional.of(holderRefusal());
    }
    return Stream.of(messages, bytes)
        .filter(limit -> limit.capabilities().room(holder.id()) == 0 && !limit.total().isFull())
        .findFirst()
        .map(limit -> limit.total().refusal(SharedLimit.CAPABILITY_SHARE));
  }

  public SharedLimit messages() {
    return messages;
  }

  public SharedLimit bytes() {
    return bytes;
  }

  /** The number of refusals at ceilings of capabilities. */
  public long holdersRefused() {
    return holdersRefused.sum();
  }

  /** The number of ceilings with at least one lease. */
  public int holders() {
    return held.size();
  }

  private boolean enter(LeaseHolder holder) {
    int entered = 0;
    for (Quota<Condition.MaxInflight> quota : holder.ceilings()) {
      entered++;
      if (held.merge(quota.owner(), 1, Integer::sum) > quota.caveat().leases()) {
        holder.ceilings().subList(0, entered).forEach(this::leave);
        return false;
      }
    }
    return true;
  }

  private void leave(Quota<Condition.MaxInflight> quota) {
    held.computeIfPresent(quota.owner(), (owner, count) -> count == 1 ? null : count - 1);
  }

  private int held(Quota<Condition.MaxInflight> quota) {
    return held.getOrDefault(quota.owner(), 0);
  }
}
