package org.svcmailbox.core.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.svcmailbox.core.delivery.HoldingService.LeaseHolding;
import org.svcmailbox.core.envelope.TopicName;

/** Counts leases by holder. One thread. */
public final class LeaseTally {
  private final Map<String, Held> holders = new HashMap<>();
  private final Instant now;

  /** The leases of one holder. */
  private static final class Held {
    private final Map<TopicName, Count> topics = new HashMap<>();
    private long count;
    private long bytes;
    private long ageNanos;

    void add(TopicName topic, long leases) {
      topics.computeIfAbsent(topic, none -> new Count()).leases += leases;
      count += leases;
    }

    LeaseHolding holding(String nonce, Instant now) {
      List<TopicName> most =
          topics.entrySet().stream()
              .sorted(
                  Comparator.<Map.Entry<TopicName, Count>>comparingLong(
                          one -> -one.getValue().leases)
                      .thenComparing(Map.Entry::getKey))
              .limit(HoldingService.MOST_TOPICS)
              .map(Map.Entry::getKey)
              .toList();
      return new LeaseHolding(nonce, null, count, bytes, now.minusNanos(ageNanos), most);
    }
  }

  private static final class Count {
    private long leases;
  }

  /** Ages count back from {@code now}. */
  public LeaseTally(Instant now) {
    this.now = now;
  }

  /** Counts one lease. */
  public void add(String nonce, TopicName topic, int bytes, long ageNanos) {
    Held held = held(nonce);
    held.add(topic, 1);
    held.bytes += bytes;
    held.ageNanos = Math.max(held.ageNanos, ageNanos);
  }

  private Held held(String nonce) {
    return holders.computeIfAbsent(nonce, none -> new Held());
  }

  /** Adds the counts of another worker. */
  public void add(LeaseTally other) {
    long later = Duration.between(other.now, now).toNanos();
    other.holders.forEach(
        (nonce, more) -> {
          Held held = held(nonce);
          more.topics.forEach((topic, count) -> held.add(topic, count.leases));
          held.bytes += more.bytes;
          held.ageNanos = Math.max(held.ageNanos, more.ageNanos + later);
        });
  }

  /** The number of leases of each holder. */
  public Map<String, Long> counts() {
    return holders.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, one -> one.getValue().count));
  }

  /** The holders with most leases, most first; at most {@link HoldingService#MOST_LEASES}. */
  public List<LeaseHolding> greatest() {
    return holders.entrySet().stream()
        .sorted(
            Comparator.<Map.Entry<String, Held>>comparingLong(one -> -one.getValue().count)
                .thenComparing(Map.Entry::getKey))
        .limit(HoldingService.MOST_LEASES)
        .map(one -> one.getValue().holding(one.getKey(), now))
        .toList();
  }
}
