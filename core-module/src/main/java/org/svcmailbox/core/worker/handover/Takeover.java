package org.svcmailbox.core.worker.handover;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.worker.dispatch.Prefetcher;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Takes over the leases of the worker's previous life in the first step of its first session.
 * Leases that come with a group are taken over in the step that begins to serve it. So no RECV can
 * lease their messages before. The messages are at the heads of their shards. If the session is
 * lost during the search, the next one starts over. Leases that were taken over end with their
 * session like any others.
 */
public final class Takeover {
  private static final Logger LOG = System.getLogger(Takeover.class.getName());

  /** How long a start waits for messages that the broker reads back from its pages. */
  private static final Duration AT_START = Duration.ofSeconds(5);

  /** As above, for a group that comes while the worker's other groups go on. */
  private static final Duration MEANWHILE = Duration.ofMillis(300);

  private final WorkerContext context;
  private final Prefetcher prefetcher;
  private final List<HandedLease> pending = new ArrayList<>();
  private Duration patience = MEANWHILE;

  public Takeover(WorkerContext context, Prefetcher prefetcher) {
    this.context = context;
    this.prefetcher = prefetcher;
  }

  /** Passes the worker leases to take over; call it before the first step. */
  public void handed(List<HandedLease> leases) {
    pending.addAll(leases);
    patience = AT_START;
  }

  /**
   * Passes the worker the leases that come with a group.
   *
   * @param slots the group's routing slots; earlier leases of theirs have ended
   */
  public void handed(IntPredicate slots, List<HandedLease> leases) {
    pending.removeIf(lease -> slots.test(lease.msgId().slot()));
    pending.addAll(leases);
  }

  /** Takes over the leases whose messages can be found. Does nothing when called again. */
  public void run() {
    if (pending.isEmpty()) {
      return;
    }
    HandedLeases wanted = new HandedLeases(pending, this::mayServe);
    PatientSearch search = new PatientSearch(context, prefetcher, patience);
    int before = context.leases().size();
    wanted.shards().forEach(shard -> search(search, shard, wanted));
    int taken = context.leases().size() - before;
    patience = MEANWHILE;
    int returned = pending.size() - taken;
    pending.clear();
    context.workerMetrics().takenOver(taken, returned);
    LOG.log(
        Level.INFO,
        "Worker {0} took over {1} leases; {2} messages are ready again",
        context.worker(),
        taken,
        returned);
  }

  private boolean mayServe(ShardId shard) {
    return context.owns(shard) && context.ports().topics().has(shard);
  }

  private void search(PatientSearch search, ShardId id, HandedLeases wanted) {
    Optional<Topic> topic = context.ports().topics().find(id.topic());
    if (topic.isPresent()) {
      ShardState shard = context.shard(id);
      search.run(
          shard, delivery -> take(shard, topic.get(), delivery, wanted), () -> wanted.hasAll(id));
    }
  }

  private boolean take(ShardState shard, Topic topic, Delivery delivery, HandedLeases wanted) {
    HandedLease handed = wanted.take(shard.id(), delivery.message().envelope());
    if (handed == null) {
      return false;
    }
    long now = context.now();
    Lease lease =
        new Lease(
            shard,
            topic,
            delivery,
            handed.receipt(),
            handed.holder(),
            now + handed.left().toNanos(),
            now + handed.longest().toNanos());
    context.limits().inflightLimits().takeOver(lease);
    context.leases().add(lease);
    return true;
  }

  /**
   * The leases of some routing slots to hand to the next life: leases held by clients, and leases
   * not yet taken over.
   */
  public Stream<HandedLease> left(IntPredicate slots) {
    long now = context.now();
    return Stream.concat(
        pending.stream().filter(lease -> slots.test(lease.msgId().slot())),
        context.leases().all().stream()
            .filter(lease -> !lease.isUnread() && slots.test(lease.msgId().slot()))
            .map(lease -> HandedLease.of(lease, now)));
  }
}
