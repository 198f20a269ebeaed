package org.svcmailbox.core.rendezvous.mailbox;

import java.util.concurrent.atomic.LongAdder;
import org.svcmailbox.core.settings.RendezvousSettings;

/** Limits, usage and counters shared by all stripes. Any thread. */
final class Limits {
  final int maxQueueLength;
  final int maxWaitingPerMailbox;
  final int maxWaitingPerClient;
  final long messageTtl;
  final long idleTtl;
  final Budget budget;
  final Places mailboxes;
  final Places waiting;
  final ShareTable waitingClients = new ShareTable();

  private final Watermark bytesUsed = new Watermark();
  private final Watermark mailboxesTaken = new Watermark();
  private final Watermark waitingTaken = new Watermark();

  final LongAdder delivered = new LongAdder();

  final LongAdder evicted = new LongAdder();
  final LongAdder returned = new LongAdder();
  final LongAdder lost = new LongAdder();

  Limits(RendezvousSettings settings) {
    RendezvousSettings.Mailboxes bounds = settings.mailboxes();
    this.maxQueueLength = bounds.maxQueueLength();
    this.messageTtl = bounds.messageTtl().toNanos();
    this.idleTtl = bounds.idleTtl().toNanos();
    this.budget = new Budget(bounds.maxBytes());
    this.mailboxes = new Places(bounds.max());
    this.waiting = new Places(settings.waiting().max());
    this.maxWaitingPerMailbox = settings.waiting().perMailbox();
    this.maxWaitingPerClient = settings.waiting().perAddress();
  }

  /** Evaluates every limit, so that each one keeps its watermark current. */
  boolean areNearlyReached() {
    boolean isOver = bytesUsed.update(budget.used(), budget.capacity());
    isOver |= mailboxesTaken.update(mailboxes.taken(), mailboxes.capacity());
    isOver |= waitingTaken.update(waiting.taken(), waiting.capacity());
    return isOver;
  }
}
