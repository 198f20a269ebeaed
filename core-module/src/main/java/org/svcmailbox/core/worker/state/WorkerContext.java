package org.svcmailbox.core.worker.state;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.WorkerMetrics;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.topic.ShardId;

/** State that the parts of one worker share. Owned by the worker's thread; no locks. */
public final class WorkerContext {
  /** Messages whose last lease is remembered. */
  private static final int REMEMBERED = 100_000;

  private final OwnedSlots slots;
  private final WorkerPorts ports;
  private final Leases leases = new Leases();
  private final SettledMessages settled = new SettledMessages(REMEMBERED);
  private final Map<ShardId, ShardState> shards = new HashMap<>();
  private final Owed owed = new Owed();
  private final StagedCounts counts = new StagedCounts();
  private final Replies replies;
  private final LeaseGuard guard;
  private final AtomicLong moves = new AtomicLong();
  private @Nullable BrokerSession session;
  private volatile @Nullable Instant sessionSince;

  public WorkerContext(OwnedSlots slots, WorkerPorts ports) {
    this.slots = slots;
    this.ports = ports;
    this.guard = new LeaseGuard(ports.ticker()::nanos);
    this.replies = new Replies(ports.completer(), guard, this::ask);
  }

  public OwnedSlots slots() {
    return slots;
  }

  public WorkerId worker() {
    return slots.worker();
  }

  public WorkerPorts ports() {
    return ports;
  }

  public Limits limits() {
    return ports.limits();
  }

  public WorkerMetrics workerMetrics() {
    return limits().workerMetrics();
  }

  public Leases leases() {
    return leases;
  }

  public SettledMessages settled() {
    return settled;
  }

  public Owed owed() {
    return owed;
  }

  public StagedCounts counts() {
    return counts;
  }

  public Replies replies() {
    return replies;
  }

  public long now() {
    return ports.ticker().nanos();
  }

  public boolean hasSession() {
    return session != null;
  }

  /** The session, for one call, which counts as a move of the worker. */
  public BrokerSession session() {
    moved();
    BrokerSession open = session;
    if (open == null) {
      throw new IllegalStateException("no broker session");
    }
    return open;
  }

  /** Commits what is staged, if anything is. */
  public void commit() {
    long left = now();
    if (session().commit()) {
      guard.answered(left);
    }
  }

  private void ask() {
    workerMetrics().sessionAsked();
    session().ask();
  }

  /** Records that a part of a step begins. */
  public void moved() {
    moves.lazySet(moves.getPlain() + 1);
  }

  /** Changes while the worker makes progress, also within a step. Any thread. */
  public long moves() {
    return moves.get();
  }

  /** Sets the session, opened after {@code since}, or none. */
  public void session(@Nullable BrokerSession newSession, @Nullable Instant since) {
    session = newSession;
    guard.renew();
    sessionSince = since;
  }

  /** When the session began; now if there is none. Any thread. */
  public Instant sessionSince() {
    Instant since = sessionSince;
    return since != null ? since : ports.wall().instant();
  }

  public boolean owns(ShardId shard) {
    return slots.owns(shard);
  }

  /** Whether messages of this routing slot may be leased and ended here. */
  public boolean serves(int slot) {
    return slots.here().serves(slot);
  }

  /** Whether no shard of a topic, or not this one, is here or will be. */
  public boolean isElsewhere(TopicName topic, @Nullable Integer only) {
    return !slots.here().isAlone()
        && !slots
            .here()
            .wantsAny(
                ports.topics().openShards(topic).stream()
                    .filter(shard -> only == null || only == shard.index())
                    .toList());
  }

  /** Adopts the counts of a group's queues, which nobody uses meanwhile. */
  public void countIn(WorkerId group) {
    Broker.Contents found = ports.broker().contents();
    shardsOf(group).forEach(shard -> limits().counters(shard).recount(found.messages(shard)));
  }

  /** Forgets a group's shards and their counts, which another process keeps from now on. */
  public void forgetShards(WorkerId group) {
    shardsOf(group)
        .forEach(
            shard -> {
              limits().counters(shard).recount(Broker.Held.NOTHING);
              forget(shard);
            });
  }

  private Stream<ShardId> shardsOf(WorkerId group) {
    return ports.topics().all().stream()
        .flatMap(topic -> topic.shards().stream())
        .filter(shard -> slots.groupOf(shard.slot()).equals(group));
  }

  public ShardState shard(ShardId id) {
    return shards.computeIfAbsent(id, key -> new ShardState(key, limits().counters(key)));
  }

  /** The shards of a topic whose messages this worker may lease. */
  public List<ShardState> openShards(TopicName topic) {
    return ports.topics().openShards(topic).stream()
        .filter(slots::leases)
        .map(this::shard)
        .toList();
  }

  /** Whether this is still the current shard: its topic was not deleted, and it was not closed. */
  public boolean has(ShardState shard) {
    return known(shard.id()) == shard;
  }

  /** A shard that this worker has used and that still exists; null otherwise. */
  public @Nullable ShardState known(ShardId id) {
    return shards.get(id);
  }

  public Collection<ShardState> shards() {
    return shards.values();
  }

  /** Forgets shards that were removed while there was no session to release them with. */
  public void forgetGone() {
    for (ShardState shard : List.copyOf(shards.values())) {
      if (!ports.topics().has(shard.id())) {
        forget(shard.id());
      } else if (limits().counters(shard.id()) != shard.counters()) {
        // The topic was deleted and created again: another shard has the name now.
        shards.remove(shard.id());
      }
    }
  }

  /**
   * Counts the messages in the queues again, because a transaction in doubt may have been
   * committed.
   */
  public void recount() {
    shards.values().forEach(shard -> shard.counters().recount(ports.broker().held(shard.id())));
  }

  /** Drops the shards' prefetched messages and watches, which are lost with the session. */
  public void loseShards() {
    shards.values().forEach(ShardState::broken);
  }

  public void forget(ShardId id) {
    shards.remove(id);
    limits().forget(id);
  }

  /** Whether the worker has this message already, prefetched or leased. */
  public boolean holds(ShardState shard, Delivery delivery) {
    MsgId msgId = delivery.message().envelope().msgId();
    return leases.find(msgId) != null || shard.prefetched().holds(delivery);
  }

  public void acknowledge(ShardState shard, Delivery delivery) {
    session().acknowledge(delivery);
    counts.acknowledged(shard, delivery.bytes());
  }

  /** As {@link #acknowledge}, where no client did. */
  public void purge(ShardState shard, Delivery delivery) {
    session().acknowledge(delivery);
    counts.removed(shard, delivery.bytes());
  }

  public void redeliver(
      ShardState shard, Delivery delivery, MessageEvent failure, Instant at, Instant expiresAt) {
    long successor = session().redeliver(delivery, failure, at, expiresAt);
    counts.replaced(shard, successor - delivery.bytes());
  }

  public void quarantine(ShardState shard, Delivery delivery, Quarantine why, Duration retention) {
    session().quarantine(delivery, why, ports.wall().instant().plus(retention));
    counts.died(shard, why.reason(), delivery.bytes());
  }

  /**
   * Ends a lease. Its stream receives again after the commit, so that a returning message comes
   * first.
   */
  public void end(Lease lease, SettledMessages.Fate fate) {
    leases.remove(lease);
    limits().inflightLimits().remove(lease);
    settled.remember(lease, fate);
    if (lease.isOfStream()) {
      replies.whenDone(lease::leaveWindow);
    }
  }
}
