package org.svcmailbox.core.capability;

import java.time.Duration;

/** Detects bursts of denials: a change that this node missed, or guessed tokens. Any thread. */
final class DenialSpike {
  /** Denials within {@link #WINDOW} that make a spike. */
  static final int MANY = 100;

  /** At most one spike is reported in each window. */
  static final Duration WINDOW = Duration.ofSeconds(10);

  private long windowBegan;
  private int denials;

  DenialSpike(long now) {
    this.windowBegan = now;
  }

  /** Returns true for the denial that makes a spike. */
  synchronized boolean countDenial(long now) {
    if (now - windowBegan >= WINDOW.toNanos()) {
      windowBegan = now;
      denials = 0;
    }
    denials++;
    return denials == MANY;
  }
}
