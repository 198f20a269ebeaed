package org.svcmailbox.core.worker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.WorkerMetrics;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.sendlog.BatchLog;
import org.svcmailbox.core.sendlog.SendLog;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.TopicDirectory;

/** State that the parts of one worker share. Owned by the worker's thread; no locks. */
public final class WorkerContext {
  /** Messages whose last lease is remembered. */
  private static final int REMEMBERED = 100_000;

  private final int worker;
  private final WorkerPorts ports;
  private final Leases leases = new Leases();
  private final SettledMessages settled = new SettledMessages(REMEMBERED);
  private final Map<ShardId, ShardState> shards = new HashMap<>();
  private final StagedCounts counts = new StagedCounts();
  private final Replies replies;
  private @Nullable BrokerSession session;

  /**
   * Dependencies of a worker.
   *
   * @param workers how many workers share the shards
   * @param window how large each worker's log is
   * @param completer runs the callers' continuations
   */
  public record WorkerPorts(
      int workers,
      MailboxSettings settings,
      Limits limits,
      Broker broker,
      SendLog log,
      BatchLog.Window window,
      Ticker ticker,
      InstantSource wall,
      RandomGenerator random,
      Executor completer,
      TopicDirectory topics) {}

  WorkerContext(int worker, WorkerPorts ports) {
    this.worker = worker;
    this.ports = ports;
    this.replies = new Replies(ports.completer());
  }

  int worker() {
    return worker;
  }

  WorkerPorts ports() {
    return ports;
  }

  Limits limits() {
    return ports.limits();
  }

  WorkerMetrics workerMetrics() {
    return limits().workerMetrics();
  }

  Leases leases() {
    return leases;
  }

  SettledMessages settled() {
    return settled;
  }

  StagedCounts counts() {
    return counts;
  }

  Replies replies() {
    return replies;
  }

  long now() {
    return ports.ticker().nanos();
  }

  boolean hasSession() {
    return session != null;
  }

  BrokerSession session() {
    BrokerSession open = session;
    if (open == null) {
      throw new IllegalStateException("no broker session");
    }
    return open;
  }

  void session(@Nullable BrokerSession newSession) {
    session = newSession;
  }

  boolean owns(ShardId shard) {
    return workerOf(shard.slot(), ports.workers()) == worker;
  }

  /** The worker of a routing slot. */
  public static int workerOf(int slot, int workers) {
    return slot % workers;
  }

  ShardState shard(ShardId id) {
    return shards.computeIfAbsent(id, key -> new ShardState(key, limits().counters(key)));
  }

  /** Whether a shard is still the one it was: not once its topic is deleted or it is closed. */
  boolean has(ShardState shard) {
    return known(shard.id()) == shard;
  }

  /** A shard that this worker has had to do with and that is still there. */
  @Nullable ShardState known(ShardId id) {
    return shards.get(id);
  }

  Iterable<ShardState> shards() {
    return shards.values();
  }

  /** Forgets the shards that went while there was no session to let go of them with. */
  void forgetGone() {
    for (ShardState shard : List.copyOf(shards.values())) {
      if (!ports.topics().has(shard.id())) {
        forget(shard.id());
      } else if (limits().counters(shard.id()) != shard.counters()) {
        // The topic was deleted and made again: another shard has the name.
        shards.remove(shard.id());
      }
    }
  }

  /** Counts what the queues hold: what was in doubt may have happened. */
  void recount() {
    shards.values().forEach(shard -> shard.counters().recount(ports.broker().held(shard.id())));
  }

  void forget(ShardId id) {
    shards.remove(id);
    limits().forget(id);
  }

  void acknowledge(ShardState shard, Delivery delivery) {
    session().acknowledge(delivery);
    counts.acknowledged(shard, delivery.bytes());
  }

  void redeliver(
      ShardState shard, Delivery delivery, MessageEvent failure, Instant at, Instant expiresAt) {
    long successor = session().redeliver(delivery, failure, at, expiresAt);
    counts.replaced(shard, successor - delivery.bytes());
  }

  void quarantine(ShardState shard, Delivery delivery, Quarantine why, Duration retention) {
    session().quarantine(delivery, why, ports.wall().instant().plus(retention));
    counts.died(shard, why.reason(), delivery.bytes());
  }

  void end(Lease lease, SettledMessages.Fate fate) {
    leases.remove(lease);
    limits().inflightLimits().remove(lease);
    settled.remember(lease, fate);
  }
}
