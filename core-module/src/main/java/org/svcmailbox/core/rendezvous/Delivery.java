package org.svcmailbox.core.rendezvous;

import java.util.concurrent.atomic.AtomicBoolean;

/** A message that is being handed over. Settled once. */
final class Delivery implements Handover {
  /** Told once how a delivery ended. */
  interface Settlement {
    void written(Delivery delivery);

    /** The message returns to its place. */
    void returned(Delivery delivery, boolean wasSent);
  }

  private final HeldMessage message;
  private final int remaining;
  private final Settlement settlement;
  private final AtomicBoolean isSettled = new AtomicBoolean();

  /** Since when a waiting GET could have it, by the ticker; meaningless unless it waited. */
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

  /** As {@link #failed}, of a message that never was on its way. */
  void putBack() {
    giveBack(false);
  }

  private void giveBack(boolean wasSent) {
    if (isSettled.compareAndSet(false, true)) {
      settlement.returned(this, wasSent);
    }
  }
}
