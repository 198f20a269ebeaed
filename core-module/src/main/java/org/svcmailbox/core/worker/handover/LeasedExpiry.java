package org.svcmailbox.core.worker.handover;

import java.time.Duration;
import java.time.Instant;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Keeps leased messages from expiring before the next life takes their leases over. The broker
 * would move them as soon as they are back in their queues. Nothing expires them after that: a
 * lease that ends gives its message a new expiry, and so does a lost session. A message that is
 * written for this is at the tail of its queue once an embedded broker has started again, so only
 * those are that need it.
 */
public final class LeasedExpiry {
  /** The time that a restart may take. */
  private static final Duration RESTART = Duration.ofHours(1);

  /** Payload bytes written for this at most; other messages have a new life when they return. */
  private static final long MOST_BYTES = 16L << 20;

  private final WorkerContext context;

  public LeasedExpiry(WorkerContext context) {
    this.context = context;
  }

  /** Stages a later expiry of messages that would not outlast the restart. */
  public void stage() {
    Instant restarted = context.ports().wall().instant().plus(RESTART);
    long bytes = 0;
    for (Lease lease : context.leases().all()) {
      StoredMessage message = lease.delivery().message();
      if (message.expiresAt().isBefore(restarted) && bytes < MOST_BYTES) {
        bytes += message.payload().size();
        context.session().prolong(lease.delivery(), expiry(lease, restarted));
      }
    }
  }

  private static Instant expiry(Lease lease, Instant restarted) {
    Duration ttl = lease.delivery().message().ttl();
    return StoredMessage.expiry(restarted, ttl, lease.topic().settings().retention());
  }
}
