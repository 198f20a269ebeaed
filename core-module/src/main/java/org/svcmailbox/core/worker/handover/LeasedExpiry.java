package org.svcmailbox.core.worker.handover;

import java.time.Duration;
import java.time.Instant;
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
  /** How long a restart may take. */
  private static final Duration RESTART = Duration.ofHours(1);

  /** The most payload bytes that are rewritten; other messages get a new life when they return. */
  private static final long MOST_BYTES = 16L << 20;

  private final WorkerContext context;

  public LeasedExpiry(WorkerContext context) {
    this.context = context;
  }

  /** Stages a later expiry for messages that would expire during the restart. */
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
