package org.svcmailbox.core.rendezvous.mailbox;

import java.util.concurrent.atomic.AtomicBoolean;
import org.svcmailbox.core.rendezvous.Handover;

/** A message being handed over; settled once. */
final class Delivery implements Handover {
  interface Settlement {
    void written(Delivery delivery);

    void returned(Delivery delivery, boolean wasSent);
  }

  private final HeldMessage message;
  private final int remaining;
  private final Settlement settlement;
  private final AtomicBoolean isSettled = new AtomicBoolean();

  /** When a waiting GET could first have it, in ticker nanoseconds; only valid if it waited. */
  final long since;

  final boolean hasWaited;

  Delivery(
      HeldMessage message, int remaining, boolean hasWaited, long since, Settlement settlement) {
    this.message = message;
    this.remaining = remaining;
    this.hasWaited = hasWaited;
    this.since = since;
    this.settlement = settlement;
  }

  HeldMessage message() {
    return message;
  }

  @Override
  public byte[] body() {
    return message.body;
  }

  @Override
  public long sequence() {
    return message.sequence;
  }

  @Override
  public int remaining() {
    return remaining;
  }

  @Override
  public void written() {
    if (isSettled.compareAndSet(false, true)) {
      settlement.written(this);
    }
  }

  @Override
  public void failed() {
    giveBack(true);
  }

  /** As {@link #failed}, for a message that was never sent. */
  void putBack() {
    giveBack(false);
  }

  private void giveBack(boolean wasSent) {
    if (isSettled.compareAndSet(false, true)) {
      settlement.returned(this, wasSent);
    }
  }
}
