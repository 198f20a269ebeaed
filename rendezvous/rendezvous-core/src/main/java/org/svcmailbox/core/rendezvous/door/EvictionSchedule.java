package org.svcmailbox.core.rendezvous.door;

import org.svcmailbox.core.time.Ticker;

/** The time of the next eviction. One thread evicts; any thread asks whether it is late. */
final class EvictionSchedule {
  private static final int LATE_INTERVALS = 3;

  private final long interval;
  private final Ticker ticker;
  private volatile long due;

  EvictionSchedule(long interval, Ticker ticker) {
    this.interval = interval;
    this.ticker = ticker;
    this.due = ticker.nanos() + interval;
  }

  boolean isDue() {
    return ticker.nanos() - due >= 0;
  }

  void done() {
    due = ticker.nanos() + interval;
  }

  boolean isLate() {
    return ticker.nanos() - due >= LATE_INTERVALS * interval;
  }
}
