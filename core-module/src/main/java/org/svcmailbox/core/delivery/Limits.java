package org.svcmailbox.core.delivery;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.topic.ShardId;

/** The counts that all workers of a process share, and the bounds on them. Any thread. */
public final class Limits {
  /** The most payload bytes of SENDs that wait for workers. */
  static final long MAX_PENDING_BYTES = 64L << 20;

  private final Ticker ticker;
  private final Activity activity;
  private final Leased leased;
  private final Bound keys;
  private final Bound waiting;
  private final Bound pendingBytes;
  private final Set<IdempotencyKey> unconfirmed = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<ShardId, ShardGauge> gauges = new ConcurrentHashMap<>();
  private final TopicGauges topics;

  /**
   * @param named the most topics that metrics tell by their names
   */
  public Limits(MailboxSettings.Bounds bounds, int named, Ticker ticker) {
    this.ticker = ticker;
    this.topics = new TopicGauges(named, ticker);
    this.activity = new Activity(ticker);
    this.leased = new Leased(bounds, ticker);
    this.keys =
        new Bound(
            "dedup_capacity",
            "the table of idempotency keys is full",
            bounds.dedupCapacity(),
            ticker);
    this.waiting =
        new Bound("max_waiting", "too many calls wait already", bounds.waiting(), ticker);
    this.pendingBytes =
        new Bound(
            "pending_bytes", "too many bytes wait for the workers", MAX_PENDING_BYTES, ticker);
  }

  ShardGauge gauge(ShardId shard) {
    return gauges.computeIfAbsent(
        shard, id -> new ShardGauge(topics.of(id.topic()), ticker, activity.shardRefusals()));
  }

  /** What all shards of a topic come to. */
  TopicGauges topics() {
    return topics;
  }

  void forget(ShardId shard) {
    gauges.remove(shard);
  }

  /** What the workers do. */
  Activity activity() {
    return activity;
  }

  /** What is under a lease. */
  public Leased leased() {
    return leased;
  }

  /** Idempotency keys in the table. */
  public Bound keys() {
    return keys;
  }

  /** RECV calls that wait. */
  public Bound waiting() {
    return waiting;
  }

  /** Payload bytes of SENDs that wait for workers. */
  public Bound pendingBytes() {
    return pendingBytes;
  }

  /** Every bound that all shards share. */
  public List<Bound> shared() {
    return List.of(leased.messages(), leased.bytes(), keys, waiting, pendingBytes);
  }

  /** How full every bound is that all shards share, and what is done below them. */
  List<Metric> metrics() {
    return Stream.of(
            leased.messages().metrics(),
            leased.bytes().metrics(),
            keys.metrics(),
            waiting.queueMetrics(),
            pendingBytes.queueMetrics(),
            activity.metrics())
        .flatMap(List::stream)
        .toList();
  }

  /** Keys were removed from the table. */
  public void keysPurged(long count) {
    keys.remove(count);
  }

  /** Sets the count of keys to what the table says. */
  public void keysCounted(long count) {
    keys.recount(count);
  }

  /** Keys whose rows are written and whose messages are not yet committed to the broker. */
  Set<IdempotencyKey> unconfirmed() {
    return unconfirmed;
  }

  /** Messages under a lease. */
  public long inflight() {
    return leased.messages().count();
  }

  /** Messages under a lease in one shard. */
  public int inflight(ShardId shard) {
    ShardGauge gauge = gauges.get(shard);
    return gauge == null ? 0 : gauge.inflight();
  }
}
