package org.svcmailbox.core.worker.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.MsgId;

/**
 * How recent leases ended, for repeated and late calls. A lease that no client got does not replace
 * the end of the one before. Bounded: the oldest are forgotten.
 */
public final class SettledMessages implements StepPart {
  public enum Fate {
    ACKED,
    /** The deadline passed; the message returns. */
    EXPIRED,
    NACKED,
    REJECTED,
    DEAD;

    /** Whether repeating the call that ended the lease gets the same answer. */
    public boolean isRepeatable() {
      return this == ACKED || this == REJECTED;
    }
  }

  public record Settled(
      Fate fate, @Nullable Receipt receipt, ShardState shard, @Nullable CapabilityId holder) {}

  private final Map<MsgId, Settled> recent;
  private final List<MsgId> uncommitted = new ArrayList<>();

  SettledMessages(int capacity) {
    this.recent =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<MsgId, Settled> eldest) {
            return size() > capacity;
          }
        };
  }

  public void remember(Lease lease, Fate fate) {
    put(lease.msgId(), new Settled(fate, lease.receipt(), lease.shard(), lease.holder().id()));
  }

  @Override
  public void onCommit() {
    uncommitted.clear();
  }

  /**
   * Marks the leases of the last transaction as expired: it is only certain that they have ended.
   */
  @Override
  public void onSessionLost() {
    for (MsgId msgId : uncommitted) {
      recent.computeIfPresent(
          msgId,
          (id, last) -> new Settled(Fate.EXPIRED, last.receipt(), last.shard(), last.holder()));
    }
    uncommitted.clear();
  }

  /** Records a late ACK, with or without its old receipt. */
  public void acknowledged(SettleRequest request, ShardState shard) {
    Settled last = recent.get(request.msgId());
    Receipt receipt = last != null ? last.receipt() : request.receipt();
    CapabilityId holder = last != null ? last.holder() : null;
    put(request.msgId(), new Settled(Fate.ACKED, receipt, shard, holder));
  }

  /** Forgets messages of some routing slots, which may have leases elsewhere from now on. */
  public void forget(IntPredicate slots) {
    recent.keySet().removeIf(id -> slots.test(id.slot()));
    uncommitted.removeIf(id -> slots.test(id.slot()));
  }

  public @Nullable Settled find(MsgId msgId) {
    return recent.get(msgId);
  }

  private void put(MsgId msgId, Settled settled) {
    // Removed first, so that the most recent one is last.
    recent.remove(msgId);
    recent.put(msgId, settled);
    uncommitted.add(msgId);
  }
}
