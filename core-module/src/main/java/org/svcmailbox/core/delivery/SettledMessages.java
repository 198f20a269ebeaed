package org.svcmailbox.core.delivery;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.CapabilityId;
import org.svcmailbox.core.envelope.MsgId;

/**
 * What became of the messages that were lately leased, so that a repeated or late answer gets a
 * true one. Bounded: the oldest are forgotten.
 */
final class SettledMessages {
  /** How a lease ended. */
  enum Fate {
    /** Acknowledged. */
    ACKED,
    /** Ran out; the message is coming back or is back. */
    EXPIRED,
    /** Given back by its holder. */
    NACKED,
    /** Moved to the dead letters by its holder's word. */
    REJECTED,
    /** Moved to the dead letters. */
    DEAD;

    /** Whether the holder ended it by a call that answers the same when it is repeated. */
    boolean isRepeatable() {
      return this == ACKED || this == REJECTED;
    }
  }

  /**
   * The end of a message's last lease.
   *
   * @param receipt the receipt that lease had, null when it is not known
   * @param holder the capability it was taken with, null when it is not known
   */
  record Settled(
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

  void remember(Lease lease, Fate fate) {
    put(lease.msgId(), new Settled(fate, lease.receipt(), lease.shard(), lease.holder().id()));
  }

  /** What was remembered since the last commit is on disk. */
  void committed() {
    uncommitted.clear();
  }

  /**
   * What was remembered since the last commit may not have happened: all that is certain is that
   * those leases are over.
   */
  void broken() {
    for (MsgId msgId : uncommitted) {
      recent.computeIfPresent(
          msgId,
          (id, last) -> new Settled(Fate.EXPIRED, last.receipt(), last.shard(), last.holder()));
    }
    uncommitted.clear();
  }

  /** A message that nobody held was acknowledged after all, with or without its old receipt. */
  void acknowledged(SettleRequest request, ShardState shard) {
    Settled last = recent.get(request.msgId());
    Receipt receipt = last != null ? last.receipt() : request.receipt();
    CapabilityId holder = last != null ? last.holder() : null;
    put(request.msgId(), new Settled(Fate.ACKED, receipt, shard, holder));
  }

  /** The message is under a new lease: how the last one ended no longer matters. */
  void forget(MsgId msgId) {
    recent.remove(msgId);
  }

  @Nullable Settled find(MsgId msgId) {
    return recent.get(msgId);
  }

  private void put(MsgId msgId, Settled settled) {
    // Removed first, so that the youngest is last.
    recent.remove(msgId);
    recent.put(msgId, settled);
    uncommitted.add(msgId);
  }
}
