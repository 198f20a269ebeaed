package org.svcmailbox.core.worker;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.time.DeadlineQueue;

/** A worker's leases by message and by deadline; at most one for each message. */
final class Leases {
  private record Deadline(Lease lease, long at) {
    boolean isStale(Leases leases) {
      return leases.byMessage.get(lease.msgId()) != lease || lease.deadline() != at;
    }
  }

  private final Map<MsgId, Lease> byMessage = new HashMap<>();
  private final DeadlineQueue<Deadline> deadlines = new DeadlineQueue<>();

  void add(Lease lease) {
    Lease before = byMessage.putIfAbsent(lease.msgId(), lease);
    if (before != null) {
      throw new IllegalStateException("two leases of " + lease.msgId());
    }
    lease.shard().leased(1);
    schedule(lease);
  }

  @Nullable Lease find(MsgId msgId) {
    return byMessage.get(msgId);
  }

  void extend(Lease lease, long deadline) {
    lease.extendTo(deadline);
    schedule(lease);
  }

  void remove(Lease lease) {
    if (byMessage.remove(lease.msgId(), lease)) {
      lease.shard().leased(-1);
    }
  }

  /** Returns each expired lease once; it stays a lease until removed. */
  @Nullable Lease nextExpired(long now) {
    Deadline due;
    while ((due = deadlines.pollDue(now)) != null) {
      if (!due.isStale(this)) {
        return due.lease();
      }
    }
    return null;
  }

  long untilFirst(long now, long idle) {
    return deadlines.untilFirst(now, idle);
  }

  int size() {
    return byMessage.size();
  }

  Collection<Lease> all() {
    return byMessage.values();
  }

  void clear() {
    byMessage.values().forEach(lease -> lease.shard().leased(-1));
    byMessage.clear();
    deadlines.clear();
  }

  private void schedule(Lease lease) {
    deadlines.compact(byMessage.size(), deadline -> deadline.isStale(this));
    deadlines.add(lease.deadline(), new Deadline(lease, lease.deadline()));
  }
}
