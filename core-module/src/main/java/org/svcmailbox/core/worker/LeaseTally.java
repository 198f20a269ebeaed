package org.svcmailbox.core.worker;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.HoldingService.LeaseHolding;
import org.svcmailbox.core.envelope.TopicName;

/** Counts leases by holder. One thread. */
public final class LeaseTally {
  private final Map<String, Held> holders = new HashMap<>();

  /** The leases of one holder. */
  private static final class Held {
    private final Map<TopicName, Long> topics = new HashMap<>();
    private long count;
    private long bytes;
    private Instant oldest = Instant.MAX;

    void add(TopicName topic, long leases) {
      topics.merge(topic, leases, Long::sum);
      count += leases;
    }

    void add(Held other) {
      other.topics.forEach(this::add);
      bytes += other.bytes;
      since(other.oldest);
    }

    void since(Instant at) {
      oldest = at.isBefore(oldest) ? at : oldest;
    }

    LeaseHolding holding(String nonce) {
      List<TopicName> most =
          topics.entrySet().stream()
              .sorted(
                  Map.Entry.<TopicName, Long>comparingByValue(Comparator.reverseOrder())
                      .thenComparing(Map.Entry.comparingByKey()))
              .limit(HoldingService.MOST_TOPICS)
              .map(Map.Entry::getKey)
              .toList();
      return new LeaseHolding(nonce, count, bytes, oldest, most);
    }
  }

  /** Counts one lease. */
  void add(String nonce, TopicName topic, int bytes, Instant since) {
    Held held = holders.computeIfAbsent(nonce, none -> new Held());
    held.add(topic, 1);
    held.bytes += bytes;
    held.since(since);
  }

  /** Adds the counts of another worker. */
  public void add(LeaseTally other) {
    other.holders.forEach(
        (nonce, held) -> holders.computeIfAbsent(nonce, none -> new Held()).add(held));
  }

  /** The holders with most leases, most first; at most {@link HoldingService#MOST_LEASES}. */
  public List<LeaseHolding> greatest() {
    return holders.entrySet().stream()
        .sorted(
            Comparator.<Map.Entry<String, Held>>comparingLong(one -> -one.getValue().count)
                .thenComparing(Map.Entry::getKey))
        .limit(HoldingService.MOST_LEASES)
        .map(one -> one.getValue().holding(one.getKey()))
        .toList();
  }
}
