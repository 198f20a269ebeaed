package org.svcmailbox.core.worker.handover;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.topic.ShardId;

/** Decides which leases of its previous life a worker takes over. Pure. */
final class HandedLeases {
  private final Map<ShardId, Map<MsgId, HandedLease>> wanted = new LinkedHashMap<>();

  /**
   * Selects one lease per message.
   *
   * @param mayServe whether a shard exists and belongs to the worker
   */
  HandedLeases(Collection<HandedLease> handed, Predicate<ShardId> mayServe) {
    for (HandedLease lease : handed) {
      if (mayServe.test(lease.shard())) {
        wanted
            .computeIfAbsent(lease.shard(), none -> new HashMap<>())
            .putIfAbsent(lease.msgId(), lease);
      }
    }
  }

  /** The shards to search. */
  Set<ShardId> shards() {
    return wanted.keySet();
  }

  /** Whether no more messages of a shard are wanted. */
  boolean hasAll(ShardId shard) {
    return wanted.getOrDefault(shard, Map.of()).isEmpty();
  }

  /** The lease of a message that was found; null if it has none or was found before. */
  @Nullable HandedLease take(ShardId shard, Envelope found) {
    Map<MsgId, HandedLease> ofShard = wanted.get(shard);
    HandedLease lease = ofShard == null ? null : ofShard.remove(found.msgId());
    // Another attempt is another delivery, so that lease has ended.
    return lease != null && lease.attempt() == found.attempt() ? lease : null;
  }
}
