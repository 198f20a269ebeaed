package org.svcmailbox.core.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.HoldingService.HeldLease;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * A worker's oldest leases by topic. It looks through all of them at most once a second, however
 * often and for whatever topic it is asked. Owned by the worker.
 */
final class LeaseScan {
  static final Duration VALID = Duration.ofSeconds(1);

  private final WorkerContext context;
  private Map<TopicName, List<HeldLease>> found = Map.of();
  private long until;
  private boolean isScanned;

  LeaseScan(WorkerContext context) {
    this.context = context;
  }

  /** At most {@link HoldingService#MOST_LEASES}, oldest first. */
  List<HeldLease> oldest(TopicName topic) {
    long now = context.now();
    if (!isScanned || until - now <= 0) {
      found = scan(now);
      until = now + VALID.toNanos();
      isScanned = true;
    }
    return found.getOrDefault(topic, List.of());
  }

  private Map<TopicName, List<HeldLease>> scan(long now) {
    Map<TopicName, List<Lease>> byTopic = new HashMap<>();
    for (Lease lease : context.leases().all()) {
      byTopic.computeIfAbsent(lease.topicName(), none -> new ArrayList<>()).add(lease);
    }
    Instant wall = context.ports().wall().instant();
    Map<TopicName, List<HeldLease>> oldest = new HashMap<>();
    byTopic.forEach((topic, all) -> oldest.put(topic, oldest(all, now, wall)));
    return oldest;
  }

  private static List<HeldLease> oldest(List<Lease> all, long now, Instant wall) {
    return all.stream()
        .sorted(Comparator.comparingLong(lease -> since(lease) - now))
        .limit(HoldingService.MOST_LEASES)
        .map(lease -> held(lease, now, wall))
        .toList();
  }

  /** One lease now. */
  HeldLease held(Lease lease) {
    return held(lease, context.now(), context.ports().wall().instant());
  }

  /** A lease ends at the latest so long after its begin; one that was handed over keeps its own. */
  private static long since(Lease lease) {
    return lease.until() - lease.topic().settings().retention().longestLease().toNanos();
  }

  private static HeldLease held(Lease lease, long now, Instant wall) {
    return new HeldLease(
        lease.msgId(),
        lease.shard().id().index(),
        lease.attempt(),
        wall.plusNanos(since(lease) - now),
        wall.plusNanos(lease.deadline() - now),
        wall.plusNanos(lease.until() - now),
        lease.size(),
        lease.holder().id().nonce());
  }
}
