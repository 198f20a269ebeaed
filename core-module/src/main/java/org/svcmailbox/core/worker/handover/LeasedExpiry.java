package org.svcmailbox.core.worker.handover;

import java.time.Duration;
import java.time.Instant;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Keeps leased messages from expiring before the next life takes their leases over. The broker
 * would move them as soon as they are back in their queues.
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

  /** Stages a later expiry of messages that would not outlast their leases. */
  public void stage() {
    Instant now = context.ports().wall().instant();
    long bytes = 0;
    for (Lease lease : context.leases().all()) {
      StoredMessage message = lease.delivery().message();
      Instant longest = now.plusNanos(lease.until() - context.now());
      if (message.expiresAt().isBefore(longest.plus(RESTART)) && bytes < MOST_BYTES) {
        bytes += message.payload().size();
        context.session().prolong(lease.delivery(), expiry(lease, longest));
      }
    }
  }

  private static Instant expiry(Lease lease, Instant longest) {
    Duration ttl = lease.delivery().message().ttl();
    return StoredMessage.expiry(longest, ttl, lease.topic().settings().retention());
  }
}
