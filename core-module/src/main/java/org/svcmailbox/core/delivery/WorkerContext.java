package org.svcmailbox.core.delivery;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;

/** What the parts of one worker share. Owned by the worker's thread; no locks. */
final class WorkerContext {
  /** Messages whose last lease is remembered. */
  private static final int REMEMBERED = 100_000;

  private final int worker;
  private final WorkerPorts ports;
  private final Leases leases = new Leases();
  private final SettledMessages settled = new SettledMessages(REMEMBERED);
  private final Map<ShardId, ShardState> shards = new HashMap<>();
  private final Replies replies;
  private @Nullable BrokerSession session;

  /**
   * What a worker is given from outside.
   *
   * @param workers how many workers share the shards
   * @param completer runs the callers' continuations
   * @param shardsInSlot every existing shard with a routing slot
   * @param current whether a topic still exists as it was when a command was made
   */
  record WorkerPorts(
      int workers,
      MailboxSettings settings,
      Limits limits,
      Broker broker,
      SendLog log,
      Ticker ticker,
      InstantSource wall,
      RandomGenerator random,
      Executor completer,
      IntFunction<List<ShardId>> shardsInSlot,
      Predicate<Topic> current) {}

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

  Activity activity() {
    return limits().activity();
  }

  Leases leases() {
    return leases;
  }

  SettledMessages settled() {
    return settled;
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
    return WorkerPool.workerOf(shard.slot(), ports.workers()) == worker;
  }

  ShardState shard(ShardId id) {
    return shards.computeIfAbsent(id, key -> new ShardState(key, limits().gauge(key)));
  }

  Iterable<ShardState> shards() {
    return shards.values();
  }

  void forget(ShardId id) {
    shards.remove(id);
    limits().forget(id);
  }

  /** Ends a lease, whatever for. */
  void end(Lease lease, SettledMessages.Fate fate) {
    leases.remove(lease);
    limits().leased().remove(lease);
    settled.remember(lease, fate);
  }
}
