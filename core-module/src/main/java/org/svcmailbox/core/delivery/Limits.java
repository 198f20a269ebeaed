package org.svcmailbox.core.delivery;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.topic.ShardId;

/** The counts that all workers of a process share, and the bounds on them. Any thread. */
public final class Limits {
  private final long globalInflight;
  private final long dedupCapacity;
  private final long maxWaiting;
  private final AtomicLong inflight = new AtomicLong();
  private final AtomicLong keys = new AtomicLong();
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicLong pendingBytes = new AtomicLong();
  private final Set<IdempotencyKey> unconfirmed = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<ShardId, ShardGauge> gauges = new ConcurrentHashMap<>();

  /** The most payload bytes of commands that wait for workers. */
  static final long MAX_PENDING_BYTES = 64L << 20;

  public Limits(MailboxSettings settings) {
    this.globalInflight = settings.globalInflight();
    this.dedupCapacity = settings.dedupCapacity();
    this.maxWaiting = settings.maxWaiting();
  }

  ShardGauge gauge(ShardId shard) {
    return gauges.computeIfAbsent(shard, id -> new ShardGauge());
  }

  void forget(ShardId shard) {
    gauges.remove(shard);
  }

  boolean tryLease() {
    return tryAdd(inflight, 1, globalInflight);
  }

  void endLeases(int count) {
    inflight.addAndGet(-count);
  }

  boolean isInflightFull() {
    return inflight.get() >= globalInflight;
  }

  boolean tryWait() {
    return tryAdd(waiting, 1, maxWaiting);
  }

  void endWait() {
    waiting.decrementAndGet();
  }

  boolean tryPend(int bytes) {
    return tryAdd(pendingBytes, bytes, MAX_PENDING_BYTES);
  }

  void endPend(int bytes) {
    pendingBytes.addAndGet(-bytes);
  }

  /** How many more keys the table may take. */
  long keyRoom() {
    return dedupCapacity - keys.get();
  }

  void keysAdded(long count) {
    keys.addAndGet(count);
  }

  /** Keys were removed from the table. */
  public void keysPurged(long count) {
    keys.addAndGet(-count);
  }

  /** Sets the count of keys to what the table says. */
  public void keysCounted(long count) {
    keys.set(count);
  }

  /** Keys whose rows are written and whose messages are not yet committed to the broker. */
  Set<IdempotencyKey> unconfirmed() {
    return unconfirmed;
  }

  /** Messages under a lease. */
  public long inflight() {
    return inflight.get();
  }

  /** Messages under a lease in one shard. */
  public int inflight(ShardId shard) {
    ShardGauge gauge = gauges.get(shard);
    return gauge == null ? 0 : gauge.inflight();
  }

  private static boolean tryAdd(AtomicLong counter, long amount, long most) {
    if (counter.addAndGet(amount) > most) {
      counter.addAndGet(-amount);
      return false;
    }
    return true;
  }
}
