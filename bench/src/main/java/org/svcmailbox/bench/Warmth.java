package org.svcmailbox.bench;

import java.time.Duration;

/** Whether a contestant's rate still rises while it is warmed up. */
final class Warmth {
  private static final double RISE = 1.03;
  private static final int PATIENCE = 3;

  private final Duration longest;
  private Duration loaded = Duration.ZERO;
  private double best;
  private int withoutRise;

  /**
   * @param longest after so much load it is warm in any case; after half of it at the earliest
   */
  Warmth(Duration longest) {
    this.longest = longest;
  }

  /** Notes the rate of one more stretch of load. */
  void add(double rate, Duration lasting) {
    loaded = loaded.plus(lasting);
    withoutRise = rate > best * RISE ? 0 : withoutRise + 1;
    best = Math.max(best, rate);
  }

  boolean isWarm() {
    boolean steady = withoutRise >= PATIENCE && loaded.multipliedBy(2).compareTo(longest) >= 0;
    return steady || loaded.compareTo(longest) >= 0;
  }
}
