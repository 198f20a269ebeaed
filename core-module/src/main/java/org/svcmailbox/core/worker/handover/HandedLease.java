package org.svcmailbox.core.worker.handover;

import java.time.Duration;
import org.svcmailbox.core.capability.caveat.LeaseHolder;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.worker.state.Lease;

/**
 * A lease that one life of a worker hands to the next.
 *
 * @param left time until its deadline when it was written; the next life counts it from its own
 *     start
 * @param longest time until the latest deadline that an extension can set
 */
public record HandedLease(
    ShardId shard,
    MsgId msgId,
    int attempt,
    Receipt receipt,
    LeaseHolder holder,
    Duration left,
    Duration longest) {

  static HandedLease of(Lease lease, long now) {
    return new HandedLease(
        lease.shard().id(),
        lease.msgId(),
        lease.attempt(),
        lease.receipt(),
        lease.holder(),
        Duration.ofNanos(Math.max(0, lease.deadline() - now)),
        Duration.ofNanos(Math.max(0, lease.until() - now)));
  }
}
