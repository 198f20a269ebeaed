package org.svcmailbox.core.bounds;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.settings.FairShare;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.TopicAdmin.DiskRoom;

/** The counts that all workers of a process share, and the bounds on them. Any thread. */
public final class Limits {
  /** The most payload bytes of SENDs that wait for workers. */
  public static final long MAX_PENDING_BYTES = 64L << 20;

  /** Approximate bytes of a message in the broker besides its payload. */
  public static final int MESSAGE_OVERHEAD = 1_024;

  /** Searches for single messages at a time. */
  private static final int MOST_LOOKUPS = 4;

  /** Answers about the history at a time. */
  private static final int MOST_HISTORY_READS = 4;

  private final Ticker ticker;
  private final WorkerMetrics workerMetrics;
  private final InflightLimits inflightLimits;
  private final FairShare share;
  private final KeyShares keys;
  private final SharedLimit waiting;
  private final SharedLimit streams;
  private final CapacityLimit streamInflight;
  private final SharedLimit pendingBytes;
  private final CapacityLimit stored;
  private final DiskReserve disk;
  private final CapacityLimit ledgerBytes;
  private final CapacityLimit lookups;
  private final CapacityLimit historyReads;
  private final boolean amnesia;
  private final Set<TopicName> lackingQueues = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<ShardId, ShardCounters> byShard = new ConcurrentHashMap<>();
  private final TopicCounterRegistry topics;

  public Limits(MailboxSettings settings, DiskSpace disk, Ticker ticker) {
    MailboxSettings.Bounds bounds = settings.bounds();
    this.ticker = ticker;
    this.topics = new TopicCounterRegistry(settings.topics().named(), ticker);
    this.workerMetrics = new WorkerMetrics(ticker);
    this.inflightLimits = new InflightLimits(bounds, ticker);
    this.share = bounds.fairShare();
    this.keys =
        new KeyShares(
            share,
            new CapacityLimit(
                "dedup_capacity",
                "the table of idempotency keys is full",
                bounds.dedupCapacity(),
                ticker),
            ticker);
    this.waiting =
        new SharedLimit(
            new CapacityLimit(
                "max_waiting", "too many calls wait already", bounds.waiting(), ticker),
            share);
    this.streams =
        new SharedLimit(
            new CapacityLimit("streams", "too many streams are open", bounds.streams(), ticker),
            share);
    this.streamInflight =
        new CapacityLimit(
            "stream_inflight",
            "streams hold their half of all leases",
            Math.max(1, bounds.inflight() / 2),
            ticker);
    this.pendingBytes =
        new SharedLimit(
            new CapacityLimit(
                "pending_bytes", "too many bytes wait for the workers", MAX_PENDING_BYTES, ticker),
            share);
    this.disk = new DiskReserve(disk, bounds.diskReserve(), ticker);
    this.ledgerBytes =
        new CapacityLimit(
            "ledger_bytes",
            "the oldest entries of the largest ledgers are removed",
            settings.retention().ledgerBytes(),
            ticker);
    this.lookups =
        new CapacityLimit(
            "message_lookups", "too many messages are looked for", MOST_LOOKUPS, ticker);
    this.historyReads =
        new CapacityLimit(
            "history_reads", "too many calls read the history", MOST_HISTORY_READS, ticker);
    this.amnesia = settings.amnesia().on();
    this.stored =
        new CapacityLimit(
            "amnesia_max_bytes",
            "the memory for messages is full",
            amnesia ? settings.amnesia().maxBytes() : Long.MAX_VALUE,
            ticker);
  }

  public ShardCounters counters(ShardId shard) {
    return byShard.computeIfAbsent(
        shard,
        id -> new ShardCounters(topics.of(id.topic()), ticker, workerMetrics.shardRefusals()));
  }

  /** The messages of a topic's shards, at this moment. */
  public HeldMessages held(List<ShardId> shards, long nowMillis) {
    return HeldMessages.of(this, shards, nowMillis);
  }

  /** The counters of each topic, summed over its shards. */
  public TopicCounterRegistry topics() {
    return topics;
  }

  public void forget(ShardId shard) {
    byShard.remove(shard);
  }

  /** Forgets a topic and all its shards. */
  public void forget(TopicName topic) {
    byShard.keySet().removeIf(shard -> shard.topic().equals(topic));
    topics.forget(topic);
  }

  /** Metrics of the workers. */
  public WorkerMetrics workerMetrics() {
    return workerMetrics;
  }

  /** Limits of the leased messages. */
  public InflightLimits inflightLimits() {
    return inflightLimits;
  }

  /** The idempotency keys in the table. */
  public KeyShares keys() {
    return keys;
  }

  /** The RECV calls that wait. */
  public SharedLimit waiting() {
    return waiting;
  }

  /** The open streams of messages. */
  public SharedLimit streams() {
    return streams;
  }

  /**
   * The unsettled messages of all streams: half of all leases, so that the other half remains for
   * RECV.
   */
  public CapacityLimit streamInflight() {
    return streamInflight;
  }

  /** Payload bytes of SENDs that wait for workers. */
  public SharedLimit pendingBytes() {
    return pendingBytes;
  }

  /** The free space on the disk; irrelevant if nothing is written to it. */
  public DiskReserve disk() {
    return disk;
  }

  /** As above, for operators; null if nothing is written to the disk. */
  public @Nullable DiskRoom diskRoom() {
    return amnesia ? null : new DiskRoom(disk.free(), disk.reserve());
  }

  /** Measures the free space on the disk, if the service writes to it. */
  public void refreshDisk() {
    if (!amnesia) {
      disk.refresh();
    }
  }

  /** The reason why the disk can take no SEND; null if it can. */
  public @Nullable Refusal diskRefusal() {
    return disk.refusal(pendingBytes.total().count());
  }

  /**
   * The reason why a topic may not store more on the disk; null if it may.
   *
   * @param had bytes of its stored messages
   * @param more bytes of the new messages
   */
  public @Nullable Refusal diskShareRefusal(long had, long more) {
    return amnesia ? null : disk.shareRefusal(share, had, more);
  }

  /** Bytes of the ledgers in the database. At the limit, the oldest entries are removed. */
  public CapacityLimit ledgerBytes() {
    return ledgerBytes;
  }

  /** The searches for single messages. */
  public CapacityLimit lookups() {
    return lookups;
  }

  /** The calls that read the history. */
  public CapacityLimit historyReads() {
    return historyReads;
  }

  /**
   * Counts a SEND among the pending ones.
   *
   * @param size payload bytes
   * @param shardCapacity the most SENDs that may wait for the shard's worker
   * @param sender null for a SEND of no client
   */
  public Admission admit(
      int size, ShardId shard, int shardCapacity, @Nullable CapabilityId sender) {
    TopicName topic = shard.topic();
    Refusal full = pendingBytes.tryAdd(size, topic, sender);
    if (full != null) {
      return new Admission.Refused(full);
    }
    if (!stored.tryAdd(size + MESSAGE_OVERHEAD)) {
      pendingBytes.undo(size, topic, sender);
      return new Admission.Refused(stored.refuse());
    }
    CapacityLimit ofShard = counters(shard).pending();
    if (!ofShard.tryAdd(1, shardCapacity)) {
      stored.undo(size + MESSAGE_OVERHEAD);
      pendingBytes.undo(size, topic, sender);
      return new Admission.Refused(ofShard.refuse());
    }
    return new Admission.Admitted(pendingBytes, stored, ofShard, size, topic, sender);
  }

  /**
   * Sets the memory of all messages to the broker's figure plus the messages that are on their way
   * to it. Between two calls the figure only grows, so messages being sent never make it too low.
   */
  public void stored(long bytes) {
    long now = bytes + pendingBytes.total().count();
    long freed = stored.count() - now;
    if (freed > 0) {
      stored.remove(freed);
    } else {
      stored.recount(now);
    }
  }

  /** Every limit that all shards share. */
  public List<CapacityLimit> shared() {
    List<CapacityLimit> always = fairBounds().map(FairBound::total).toList();
    return amnesia ? Stream.concat(always.stream(), Stream.of(stored)).toList() : always;
  }

  /**
   * As above, with those that no topic has a share of. Searches and reads of the history are left
   * out: four at a time are a busy operator, and end within seconds.
   */
  public Stream<CapacityLimit> global() {
    return Stream.concat(shared().stream(), Stream.of(ledgerBytes, streamInflight));
  }

  /** The limits of which each topic and each capability has a share. */
  public Stream<FairBound> fairBounds() {
    return Stream.of(
        inflightLimits.messages(), inflightLimits.bytes(), waiting, streams, pendingBytes, keys);
  }

  /** Metrics of every limit that all shards share, and of their parts. */
  public List<Metric> metrics() {
    Stream<Metric> bounds = fairBounds().flatMap(bound -> bound.metrics().stream());
    Stream<Metric> memory = amnesia ? stored.metrics().stream() : Stream.empty();
    Stream<Metric> unshared =
        Stream.of(ledgerBytes, streamInflight, lookups, historyReads)
            .flatMap(bound -> bound.metrics().stream());
    Stream<Metric> queues =
        Stream.of(waiting.total().turnedAway(), pendingBytes.total().turnedAway());
    Stream<Metric> room = amnesia ? Stream.empty() : disk.metrics().stream();
    return Stream.of(bounds, memory, unshared, queues, room, workerMetrics.metrics().stream())
        .flatMap(Function.identity())
        .toList();
  }

  /** Records that keys were removed from the table. */
  public void keysPurged(long count) {
    keys.total().remove(count);
  }

  /** Sets the number of keys to that of the table. */
  public void keysCounted(long count) {
    keys.total().recount(count);
  }

  /**
   * Topics of which a worker found a shard without its queue. There are never more than there are
   * topics.
   */
  public Set<TopicName> lackingQueues() {
    return lackingQueues;
  }

  /** Messages under a lease. */
  public long inflight() {
    return inflightLimits.messages().total().count();
  }

  /** Messages under a lease in one shard. */
  public int inflight(ShardId shard) {
    ShardCounters counters = byShard.get(shard);
    return counters == null ? 0 : counters.inflight();
  }
}
