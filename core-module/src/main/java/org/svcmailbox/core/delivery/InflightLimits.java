package org.svcmailbox.core.delivery;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Capability;
import org.svcmailbox.core.capability.Caveat;
import org.svcmailbox.core.capability.Quota;
import org.svcmailbox.core.settings.MailboxSettings;

/**
 * What is under a lease in this process: messages, their bytes, and how many of them are held with
 * each capability that has a ceiling. Any thread.
 */
public final class InflightLimits {
  /** What kept a message from being leased. */
  enum Full {
    /** All leases together: others may make room. */
    MESSAGES,
    /** The bytes of all leases together: as above. */
    BYTES,
    /** The leases of the topic: as above. */
    TOPIC,
    /** The capability's own ceiling: only its holders make room. */
    HOLDER
  }

  private static final Duration HOLDER_RETRY = Duration.ofSeconds(1);

  private final CapacityLimit messages;
  private final CapacityLimit bytes;
  private final ConcurrentHashMap<String, Integer> held = new ConcurrentHashMap<>();
  private final LongAdder holdersRefused = new LongAdder();

  InflightLimits(MailboxSettings.Bounds bounds, Ticker ticker) {
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

  /**
   * Counts one more message in, unless something is full; then says what.
   *
   * @param size its payload's bytes
   * @param ofTopic how many of its topic there are
   * @param mostOfTopic how many of those there may be
   */
  @Nullable Full tryAdd(int size, CapacityLimit ofTopic, int mostOfTopic) {
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
   * Counts a lease under the ceilings of its holder, unless one is reached. Only once it is certain
   * that the holder gets it: workers lease ahead for a call that another worker then answers.
   */
  boolean tryHold(Lease lease) {
    boolean held = enter(lease.holder());
    lease.held(held);
    return held;
  }

  /** How many more leases a holder may have; an upper bound while others take some too. */
  int room(Capability holder) {
    return holder.ceilings().stream()
        .mapToInt(quota -> Math.max(0, quota.caveat().leases() - held(quota)))
        .min()
        .orElse(Integer.MAX_VALUE);
  }

  /** A lease is over. */
  void remove(Lease lease) {
    messages.remove(1);
    bytes.remove(lease.size());
    lease.shard().counters().topic().inflight().remove(1);
    if (lease.isHeld()) {
      lease.holder().ceilings().forEach(this::leave);
    }
  }

  /** Why nothing can be leased with {@code holder} now; empty when something can. */
  Optional<Refusal> refusal(Capability holder) {
    if (messages.isFull()) {
      return Optional.of(messages.refusal());
    }
    if (bytes.isFull()) {
      return Optional.of(bytes.refusal());
    }
    return holderRefusal(holder);
  }

  /** What whoever got nothing because of that is told. */
  Refusal refusal(Full full, TopicCounters topic) {
    return switch (full) {
      case MESSAGES -> messages.refusal();
      case BYTES -> bytes.refusal();
      case TOPIC -> topic.inflight().refusal();
      case HOLDER -> holderRefusal();
    };
  }

  /** What the holder of a capability is told whose ceiling is reached. */
  Refusal holderRefusal() {
    holdersRefused.increment();
    return Refusal.saturated(
        "max_inflight", "too many messages are held with this capability", HOLDER_RETRY);
  }

  /** Why nothing can be leased with {@code holder} before it settles something. */
  Optional<Refusal> holderRefusal(Capability holder) {
    return room(holder) == 0 ? Optional.of(holderRefusal()) : Optional.empty();
  }

  /** Messages. */
  public CapacityLimit messages() {
    return messages;
  }

  /** Their payload bytes. */
  public CapacityLimit bytes() {
    return bytes;
  }

  /** How often the holders of a capability with a ceiling were refused. */
  public long holdersRefused() {
    return holdersRefused.sum();
  }

  /** How many ceilings are counted: none that nobody holds anything under. */
  int holders() {
    return held.size();
  }

  private boolean enter(Capability holder) {
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
