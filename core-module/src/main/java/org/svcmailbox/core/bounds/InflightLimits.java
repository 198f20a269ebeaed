package org.svcmailbox.core.bounds;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.caveat.Capability;
import org.svcmailbox.core.capability.caveat.Caveat;
import org.svcmailbox.core.capability.caveat.LeaseHolder;
import org.svcmailbox.core.capability.caveat.Quota;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.time.Ticker;

/** Counts leased messages and bytes, and leases under capabilities with a ceiling. Any thread. */
public final class InflightLimits {
  /** The limit that prevented a lease. */
  public enum Full {
    /** All leases of the process; others may free one. */
    MESSAGES,
    /** The bytes of all leases; others may free some. */
    BYTES,
    /** The leases of the topic; others may free one. */
    TOPIC,
    /** The capability's ceiling; only its holders free one. */
    HOLDER
  }

  private static final Duration HOLDER_RETRY = Duration.ofSeconds(1);

  private final CapacityLimit messages;
  private final CapacityLimit bytes;
  private final ConcurrentHashMap<String, Integer> held = new ConcurrentHashMap<>();
  private final LongAdder holdersRefused = new LongAdder();

  public InflightLimits(MailboxSettings.Bounds bounds, Ticker ticker) {
    this.messages =
        new CapacityLimit(
            "global_inflight", "too many messages are in flight", bounds.inflight(), ticker);
    this.bytes =
        new CapacityLimit(
            "global_inflight_bytes",
            "too many bytes are in flight",
            bounds.inflightBytes(),
            ticker);
  }

  /** Counts one more lease; returns the limit that prevents it, or null. */
  public @Nullable Full tryAdd(int size, CapacityLimit ofTopic, int mostOfTopic) {
    if (!messages.tryAdd(1)) {
      return Full.MESSAGES;
    }
    if (!bytes.tryAdd(size)) {
      messages.undo(1);
      return Full.BYTES;
    }
    if (!ofTopic.tryAdd(1, mostOfTopic)) {
      messages.undo(1);
      bytes.undo(size);
      return Full.TOPIC;
    }
    return null;
  }

  /**
   * Counts a lease under its holder's ceilings unless one is reached. Only once the holder gets it:
   * workers also lease for calls that another worker answers.
   */
  public boolean tryHold(Holding lease) {
    boolean held = enter(lease.holder());
    lease.held(held);
    return held;
  }

  /**
   * Counts a lease of an earlier process under all limits, even beyond them: lowered settings end
   * no lease.
   */
  public void takeOver(Holding lease) {
    messages.add(1);
    bytes.add(lease.size());
    lease.topicCounters().inflight().add(1);
    lease.holder().ceilings().forEach(quota -> held.merge(quota.owner(), 1, Integer::sum));
    lease.held(true);
  }

  /** How many more leases a holder may have; an upper bound while others lease too. */
  public int room(Capability holder) {
    return holder.ceilings().stream()
        .mapToInt(quota -> Math.max(0, quota.caveat().leases() - held(quota)))
        .min()
        .orElse(Integer.MAX_VALUE);
  }

  public void remove(Holding lease) {
    messages.remove(1);
    bytes.remove(lease.size());
    lease.topicCounters().inflight().remove(1);
    if (lease.isHeld()) {
      lease.holder().ceilings().forEach(this::leave);
    }
  }

  /** Why nothing can be leased with {@code holder} now; empty when something can. */
  public Optional<Refusal> refusal(Capability holder) {
    if (messages.isFull()) {
      return Optional.of(messages.refusal());
    }
    if (bytes.isFull()) {
      return Optional.of(bytes.refusal());
    }
    return holderRefusal(holder);
  }

  public Refusal refusal(Full full, TopicCounters topic) {
    return switch (full) {
      case MESSAGES -> messages.refusal();
      case BYTES -> bytes.refusal();
      case TOPIC -> topic.inflight().refusal();
      case HOLDER -> holderRefusal();
    };
  }

  public Refusal holderRefusal() {
    holdersRefused.increment();
    return Refusal.saturated(
        "max_inflight", "too many messages are held with this capability", HOLDER_RETRY);
  }

  public Optional<Refusal> holderRefusal(Capability holder) {
    return room(holder) == 0 ? Optional.of(holderRefusal()) : Optional.empty();
  }

  public CapacityLimit messages() {
    return messages;
  }

  public CapacityLimit bytes() {
    return bytes;
  }

  /** Refusals at the ceiling of a capability. */
  public long holdersRefused() {
    return holdersRefused.sum();
  }

  /** Ceilings with at least one lease. */
  public int holders() {
    return held.size();
  }

  private boolean enter(LeaseHolder holder) {
    int entered = 0;
    for (Quota<Caveat.MaxInflight> quota : holder.ceilings()) {
      entered++;
      if (held.merge(quota.owner(), 1, Integer::sum) > quota.caveat().leases()) {
        holder.ceilings().subList(0, entered).forEach(this::leave);
        return false;
      }
    }
    return true;
  }

  private void leave(Quota<Caveat.MaxInflight> quota) {
    held.computeIfPresent(quota.owner(), (owner, count) -> count == 1 ? null : count - 1);
  }

  private int held(Quota<Caveat.MaxInflight> quota) {
    return held.getOrDefault(quota.owner(), 0);
  }
}
