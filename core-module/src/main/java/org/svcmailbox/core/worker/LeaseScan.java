package org.svcmailbox.core.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.HoldingService.HeldLease;
import org.svcmailbox.core.delivery.LeaseTally;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * A worker's oldest leases by topic, and all by holder. It looks through all of them at most once a
 * second, however often and for whatever topic it is asked. Owned by the worker.
 */
final class LeaseScan {
  static final Duration VALID = Duration.ofSeconds(1);

  /** The most leases of one step; they take well below 5 ms. */
  static final int STEP = 2_000;

  private final WorkerContext context;
  private Map<TopicName, List<HeldLease>> found = Map.of();
  private LeaseTally holders = new LeaseTally(Instant.EPOCH);
  private long until;
  private boolean isScanned;

  /** Null between two scans. */
  private @Nullable Scan scan;

  LeaseScan(WorkerContext context) {
    this.context = context;
  }

  /** Looks at some more leases; returns whether the last scan is at most a second old. */
  boolean advance() {
    long now = context.now();
    Scan current = scan;
    if (current == null) {
      if (isScanned && until - now > 0) {
        return true;
      }
      current = new Scan(now, context.ports().wall().instant());
      scan = current;
    }
    if (!current.step()) {
      return false;
    }
    found = current.oldest();
    holders = current.tally;
    until = current.now + VALID.toNanos();
    isScanned = true;
    scan = null;
    return true;
  }

  /** Of the last scan: at most {@link HoldingService#MOST_LEASES}, oldest first. */
  List<HeldLease> oldest(TopicName topic) {
    return found.getOrDefault(topic, List.of());
  }

  /** Of the last scan: all leases by holder; never changed again. */
  LeaseTally holders() {
    return holders;
  }

  /** Looks at each lease once, and keeps the oldest of each topic only. */
  private final class Scan {
    private final long now;
    private final Instant wall;
    private final Iterator<Lease> left = List.copyOf(context.leases().all()).iterator();
    private final Map<TopicName, PriorityQueue<Lease>> byTopic = new HashMap<>();
    private final Comparator<Lease> youngestFirst;
    private final LeaseTally tally;

    Scan(long now, Instant wall) {
      this.now = now;
      this.wall = wall;
      this.youngestFirst = Comparator.comparingLong(lease -> now - since(lease));
      this.tally = new LeaseTally(wall);
    }

    /** Returns whether it is at its end. */
    boolean step() {
      for (int i = 0; i < STEP && left.hasNext(); i++) {
        look(left.next());
      }
      return !left.hasNext();
    }

    private void look(Lease lease) {
      keep(
          byTopic.computeIfAbsent(lease.topicName(), none -> new PriorityQueue<>(youngestFirst)),
          lease);
      tally.add(lease.holder().id().nonce(), lease.topicName(), lease.size(), now - since(lease));
    }

    private void keep(PriorityQueue<Lease> oldest, Lease lease) {
      if (oldest.size() < HoldingService.MOST_LEASES) {
        oldest.add(lease);
      } else if (youngestFirst.compare(lease, oldest.element()) > 0) {
        oldest.remove();
        oldest.add(lease);
      }
    }

    Map<TopicName, List<HeldLease>> oldest() {
      Map<TopicName, List<HeldLease>> oldest = new HashMap<>();
      byTopic.forEach(
          (topic, kept) ->
              oldest.put(
                  topic,
                  kept.stream()
                      .sorted(youngestFirst.reversed())
                      .map(lease -> held(lease, now, wall))
                      .toList()));
      return oldest;
    }
  }

  /** One lease now. */
  HeldLease held(Lease lease) {
    return held(lease, context.now(), context.ports().wall().instant());
  }

  /** A lease ends at the latest so long after it began; one that was handed over keeps its own. */
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
        lease.holder().id().nonce(),
        null);
  }
}
