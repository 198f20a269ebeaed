package org.svcmailbox.core.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.HoldingService.HeldLease;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * A worker's oldest leases by topic, and all by holder. It looks through all of them at most once a
 * second, however often and for whatever topic it is asked. Owned by the worker.
 */
final class LeaseScan {
  static final Duration VALID = Duration.ofSeconds(1);

  private final WorkerContext context;
  private Map<TopicName, List<HeldLease>> found = Map.of();
  private LeaseTally holders = new LeaseTally();
  private long until;
  private boolean isScanned;

  LeaseScan(WorkerContext context) {
    this.context = context;
  }

  /** At most {@link HoldingService#MOST_LEASES}, oldest first. */
  List<HeldLease> oldest(TopicName topic) {
    refresh();
    return found.getOrDefault(topic, List.of());
  }

  /** All leases by holder; never changed again. */
  LeaseTally holders() {
    refresh();
    return holders;
  }

  private void refresh() {
    long now = context.now();
    if (!isScanned || until - now <= 0) {
      scan(now);
      until = now + VALID.toNanos();
      isScanned = true;
    }
  }

  /** Looks at each lease once, and keeps the oldest of each topic only. */
  private void scan(long now) {
    Instant wall = context.ports().wall().instant();
    Map<TopicName, PriorityQueue<Lease>> byTopic = new HashMap<>();
    LeaseTally tally = new LeaseTally();
    Comparator<Lease> youngestFirst = Comparator.comparingLong(lease -> now - since(lease));
    for (Lease lease : context.leases().all()) {
      keep(
          byTopic.computeIfAbsent(lease.topicName(), none -> new PriorityQueue<>(youngestFirst)),
          lease);
      tally.add(
          lease.holder().id().nonce(),
          lease.topicName(),
          lease.size(),
          wall.plusNanos(since(lease) - now));
    }
    Map<TopicName, List<HeldLease>> oldest = new HashMap<>();
    byTopic.forEach(
        (topic, kept) ->
            oldest.put(
                topic,
                kept.stream()
                    .sorted(youngestFirst.reversed())
                    .map(lease -> held(lease, now, wall))
                    .toList()));
    found = oldest;
    holders = tally;
  }

  private static void keep(PriorityQueue<Lease> oldest, Lease lease) {
    oldest.add(lease);
    if (oldest.size() > HoldingService.MOST_LEASES) {
      oldest.poll();
    }
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
