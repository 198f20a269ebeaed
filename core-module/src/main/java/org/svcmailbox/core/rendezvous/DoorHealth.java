package org.svcmailbox.core.rendezvous;

import org.svcmailbox.core.rendezvous.RendezvousService.Health;

/** Whether the service can take more. Any thread. */
final class DoorHealth {
  private final Limits limits;
  private final EvictionSchedule evictions;
  private final int maxConnections;
  private final Watermark bytes = new Watermark();
  private final Watermark mailboxes = new Watermark();
  private final Watermark waiting = new Watermark();
  private final Watermark connections = new Watermark();
  private volatile int open;
  private volatile boolean isStopping;

  DoorHealth(Limits limits, EvictionSchedule evictions, int maxConnections) {
    this.limits = limits;
    this.evictions = evictions;
    this.maxConnections = maxConnections;
  }

  void connections(int nowOpen) {
    open = nowOpen;
  }

  void stopping() {
    isStopping = true;
  }

  /** Evaluates every limit, so that each keeps its watermark current. */
  Health judge() {
    boolean isOver = bytes.update(limits.budget.used(), limits.budget.capacity());
    isOver |= mailboxes.update(limits.mailboxes.taken(), limits.mailboxes.capacity());
    isOver |= waiting.update(limits.waiting.taken(), limits.waiting.capacity());
    isOver |= connections.update(open, maxConnections);
    if (isStopping) {
      return Health.STOPPING;
    }
    return isOver || evictions.isLate() ? Health.OVERLOADED : Health.HEALTHY;
  }
}
