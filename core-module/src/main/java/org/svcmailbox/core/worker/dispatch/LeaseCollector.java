package org.svcmailbox.core.worker.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.InflightLimits;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.capability.caveat.VerifiedCapability;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.WorkerContext;

/** Leases prefetched messages for RECV calls, within all limits. */
public final class LeaseCollector {
  private final WorkerContext context;
  private final Prefetcher prefetcher;
  private final Inspection inspection;
  private final Receipts receipts;

  public LeaseCollector(
      WorkerContext context, Prefetcher prefetcher, Inspection inspection, Receipts receipts) {
    this.context = context;
    this.prefetcher = prefetcher;
    this.inspection = inspection;
    this.receipts = receipts;
  }

  /**
   * Leases what {@code call} may have from these shards in turn, starting at index {@code first}.
   * If {@code certain}, an empty batch proves that nothing was ready.
   */
  LeaseBatch collect(List<ShardState> shards, int first, RecvCall call, boolean certain) {
    InflightLimits limits = context.limits().inflightLimits();
    VerifiedCapability holder = call.caller().capability();
    int room = limits.room(holder);
    LeaseBatch batch = LeaseBatch.empty(room == 0 ? limits.fullFor(holder) : null);
    int most = Math.min(room, call.mostMessages());
    int count = shards.size();
    for (int i = 0; i < count && batch.size() < most; i++) {
      ShardState shard = shards.get((first + i) % count);
      Integer only = call.request().shard();
      if (only == null || only == shard.id().index()) {
        batch = takeFrom(shard, call, certain, most, batch);
      }
    }
    return batch;
  }

  /** Whether one of these shards has a message that a call could lease. */
  boolean isAnyReady(List<ShardState> shards, @Nullable Integer only) {
    return shards.stream()
        .filter(shard -> only == null || only == shard.id().index())
        .anyMatch(this::isReady);
  }

  private boolean isReady(ShardState shard) {
    prefetcher.fill(shard, !shard.isReceiving());
    return !shard.prefetched().isEmpty();
  }

  /** Leases from one shard, and refills the buffer whenever a full one is used up. */
  private LeaseBatch takeFrom(
      ShardState shard, RecvCall call, boolean certain, int most, LeaseBatch before) {
    // A shard that no call received from has nothing prefetched, whatever its queue contains.
    boolean sure = certain || !shard.isReceiving();
    LeaseBatch batch = before;
    boolean more;
    do {
      prefetcher.fill(shard, sure);
      boolean full = Prefetcher.isFull(shard);
      int had = batch.size();
      batch = take(shard, call, most, batch);
      sure = true;
      more = full && batch.size() > had && shard.prefetched().isEmpty();
    } while (more && batch.size() < most);
    return batch;
  }

  private LeaseBatch take(ShardState shard, RecvCall call, int most, LeaseBatch before) {
    List<Lease> taken = new ArrayList<>(before.taken());
    long bytes = before.bytes();
    InflightLimits.Full stoppedBy = before.stoppedBy();
    long mostBytes = call.mostBytes();
    Delivery first;
    while (taken.size() < most && (first = shard.prefetched().first()) != null) {
      int more = first.message().payload().size();
      if (!taken.isEmpty() && bytes + more > mostBytes) {
        break;
      }
      if (!inspection.passOrQuarantine(shard, call.topic(), first)) {
        continue;
      }
      InflightLimits.Full full = countIn(shard, call, more);
      if (full != null) {
        stoppedBy = full;
        break;
      }
      bytes += more;
      shard.prefetched().remove(first);
      taken.add(lease(shard, call, first));
    }
    return new LeaseBatch(taken, bytes, stoppedBy);
  }

  private InflightLimits.@Nullable Full countIn(ShardState shard, RecvCall call, int size) {
    return context
        .limits()
        .inflightLimits()
        .tryAdd(
            size,
            call.topic().name(),
            shard.counters().topic().inflight(),
            call.topic().settings().retention().inflightCount());
  }

  private Lease lease(ShardState shard, RecvCall call, Delivery delivery) {
    long now = context.now();
    Duration longest = call.topic().settings().retention().longestLease();
    Lease lease =
        new Lease(
            shard,
            call.topic(),
            delivery,
            receipts.next(delivery.message().envelope().msgId()),
            call.caller().capability().holder(),
            now + call.visibility().toNanos(),
            now + longest.toNanos());
    context.leases().add(lease);
    return lease;
  }
}
