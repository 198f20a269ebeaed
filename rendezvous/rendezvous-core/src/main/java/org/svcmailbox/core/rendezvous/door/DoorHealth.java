package org.svcmailbox.core.rendezvous.door;

import org.svcmailbox.core.rendezvous.RendezvousService.Health;
import org.svcmailbox.core.rendezvous.mailbox.Rendezvous;
import org.svcmailbox.core.rendezvous.mailbox.Watermark;

/** Whether the service can take more. Any thread. */
final class DoorHealth {
  private final Rendezvous mailboxes;
  private final EvictionSchedule evictions;
  private final int maxConnections;
  private final Watermark connections = new Watermark();
  private volatile int open;
  private volatile boolean isStopping;

  DoorHealth(Rendezvous mailboxes, EvictionSchedule evictions, int maxConnections) {
    this.mailboxes = mailboxes;
    this.evictions = evictions;
    this.maxConnections = maxConnections;
  }

  void connections(int nowOpen) {
    open = nowOpen;
  }

  void stopping() {
    isStopping = true;
  }

  /** Evaluates every limit, so that each one keeps its watermark current. */
  Health check() {
    boolean isOver = mailboxes.isNearlyFull();
    isOver |= connections.update(open, maxConnections);
    if (isStopping) {
      return Health.STOPPING;
    }
    return isOver || evictions.isLate() ? Health.OVERLOADED : Health.HEALTHY;
  }
}
