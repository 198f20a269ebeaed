package org.svcmailbox.core.worker;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.delivery.HoldingService.HeldLease;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.lookup.Fact;
import org.svcmailbox.core.lookup.Sighting;
import org.svcmailbox.core.lookup.Whereabouts;
import org.svcmailbox.core.lookup.WorkerLook;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.SettledMessages.Fate;
import org.svcmailbox.core.worker.state.SettledMessages.Settled;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.WorkerContext;

/** Finds one message among those that the worker holds. Owned by the worker. */
final class HeldSearch {
  private final WorkerContext context;
  private final LeaseScan leases;

  HeldSearch(WorkerContext context, LeaseScan leases) {
    this.context = context;
    this.leases = leases;
  }

  /**
   * Looks for a message between two transactions.
   *
   * @param shards those with its slot
   */
  WorkerLook look(MsgId msgId, List<ShardId> shards) {
    Lease lease = context.leases().find(msgId);
    Sighting seen = lease != null ? leased(lease) : prefetched(msgId, shards);
    Settled last = context.settled().find(msgId);
    return seen != null || last == null || last.fate() != Fate.ACKED
        ? new WorkerLook(seen, null, null)
        : new WorkerLook(null, acked(last), last.shard().id().topic());
  }

  private Sighting leased(Lease lease) {
    HeldLease held = leases.held(lease);
    Fact state =
        new Fact(Fact.Kind.LEASED, held.leasedAt(), true, held.attempt(), held.holder(), "");
    StoredMessage message = lease.delivery().message();
    return new Sighting(
        Whereabouts.LEASED,
        lease.topicName(),
        message.envelope(),
        message.history(),
        held.deadline(),
        state);
  }

  private @Nullable Sighting prefetched(MsgId msgId, List<ShardId> shards) {
    return shards.stream()
        .map(context::known)
        .filter(Objects::nonNull)
        .map(shard -> prefetched(msgId, shard))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable Sighting prefetched(MsgId msgId, ShardState shard) {
    Delivery delivery = shard.prefetched().find(msgId);
    if (delivery == null) {
      return null;
    }
    StoredMessage message = delivery.message();
    Envelope envelope = message.envelope();
    String error = Objects.requireNonNullElse(message.lastError(), "");
    Fact state = Fact.recorded(Fact.Kind.READY, delivery.readySince(), envelope.attempt(), error);
    return new Sighting(
        Whereabouts.READY, envelope.topic(), envelope, message.history(), null, state);
  }

  private static Fact acked(Settled last) {
    String by = last.holder() == null ? null : last.holder().nonce();
    return new Fact(Fact.Kind.ACKED, null, true, null, by, "");
  }
}
