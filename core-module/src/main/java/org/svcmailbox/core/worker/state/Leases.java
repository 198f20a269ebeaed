package org.svcmailbox.core.worker.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.time.DeadlineQueue;

/** A worker's leases by message and by deadline; at most one per message. */
public final class Leases implements StepPart {
  private record Deadline(Lease lease, long at) {
    boolean isStale(Leases leases) {
      return leases.byMessage.get(lease.msgId()) != lease || lease.deadline() != at;
    }
  }

  private final Map<MsgId, Lease> byMessage = new HashMap<>();
  private final DeadlineQueue<Deadline> deadlines = new DeadlineQueue<>();

  /** Counted in flight until the step that ended their leases is on disk. */
  private final List<ShardState> ended = new ArrayList<>();

  public void add(Lease lease) {
    Lease before = byMessage.putIfAbsent(lease.msgId(), lease);
    if (before != null) {
      throw new IllegalStateException("two leases of " + lease.msgId());
    }
    lease.shard().leased();
    schedule(lease);
  }

  public @Nullable Lease find(MsgId msgId) {
    return byMessage.get(msgId);
  }

  public void extend(Lease lease, long deadline) {
    lease.extendTo(deadline);
    schedule(lease);
  }

  /** Ends a lease for its holder; {@link #nextExpired} then returns it. */
  public void withdraw(Lease lease, long now) {
    lease.withdraw(now);
    schedule(lease);
  }

  public void remove(Lease lease) {
    if (byMessage.remove(lease.msgId(), lease)) {
      lease.shard().unleased();
      ended.add(lease.shard());
    }
  }

  /** Counts removed leases as such; the messages are acknowledged or back in their queues. */
  @Override
  public void onCommit() {
    ended.forEach(shard -> shard.counters().inflight(-1));
    ended.clear();
  }

  /** Returns each expired lease once; it remains a lease until it is removed. */
  public @Nullable Lease nextExpired(long now) {
    Deadline due;
    while ((due = deadlines.pollDue(now)) != null) {
      if (!due.isStale(this)) {
        return due.lease();
      }
    }
    return null;
  }

  public long untilFirst(long now, long idle) {
    return deadlines.untilFirst(now, idle);
  }

  public int size() {
    return byMessage.size();
  }

  public Collection<Lease> all() {
    return byMessage.values();
  }

  /** Ends all, which are lost with the session. */
  @Override
  public void onSessionLost() {
    for (Lease lease : List.copyOf(byMessage.values())) {
      remove(lease);
      lease.leaveWindow();
    }
    onCommit();
    deadlines.clear();
  }

  private void schedule(Lease lease) {
    deadlines.compact(byMessage.size(), deadline -> deadline.isStale(this));
    deadlines.add(lease.deadline(), new Deadline(lease, lease.deadline()));
  }
}
