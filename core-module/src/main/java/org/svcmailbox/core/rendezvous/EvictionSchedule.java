package org.svcmailbox.core.rendezvous;

import org.svcmailbox.core.delivery.Ticker;

/** When the next eviction is due. One thread evicts; any thread asks whether that is late. */
final class EvictionSchedule {
  /** Later than so many intervals, something is wrong. */
  private static final int LATE_INTERVALS = 3;

  private final long interval;
  private final Ticker ticker;
  private volatile long due;

  /**
   * @param interval in nanoseconds
   */
  EvictionSchedule(long interval, Ticker ticker) {
    this.interval = interval;
    this.ticker = ticker;
    this.due = ticker.nanos() + interval;
  }

  boolean isDue() {
    return ticker.nanos() - due >= 0;
  }

  /** It was done. */
  void done() {
    due = ticker.nanos() + interval;
  }

  boolean isLate() {
    return ticker.nanos() - due >= LATE_INTERVALS * interval;
  }
}
