package org.svcmailbox.core.worker.handover;

import java.time.Duration;
import java.time.Instant;
import java.util.function.IntPredicate;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Keeps leased messages from expiring before the next life takes their leases over. Otherwise the
 * broker would move expired ones as soon as they are back in their queues. Nothing expires them
 * after that, because the end of a lease or a session gives a message a new expiry. A rewritten
 * message is at the tail of its queue after an embedded broker has restarted, so only messages that
 * need it are rewritten.
 */
public final class LeasedExpiry {
  /** The most payload bytes that are rewritten; other messages get a new life when they return. */
  private static final long MOST_BYTES = 16L << 20;

  private final WorkerContext context;

  public LeasedExpiry(WorkerContext context) {
    this.context = context;
  }

  /**
   * Stages a later expiry for messages that would expire before the next life has them.
   *
   * @param slots the routing slots whose leases are handed over
   * @param longest the longest time until then
   */
  public void stage(IntPredicate slots, Duration longest) {
    Instant taken = context.ports().wall().instant().plus(longest);
    long bytes = 0;
    for (Lease lease : context.leases().all()) {
      StoredMessage message = lease.delivery().message();
      boolean isMeant = slots.test(lease.msgId().slot()) && message.expiresAt().isBefore(taken);
      if (isMeant && bytes < MOST_BYTES) {
        bytes += message.payload().size();
        context.session().prolong(lease.delivery(), expiry(lease, taken));
      }
    }
  }

  private static Instant expiry(Lease lease, Instant taken) {
    Duration ttl = lease.delivery().message().ttl();
    return StoredMessage.expiry(taken, ttl, lease.topic().settings().retention());
  }
}
