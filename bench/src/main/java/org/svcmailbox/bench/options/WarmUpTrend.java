package org.svcmailbox.bench.options;

import java.time.Duration;

/** Decides when what is measured is warm. */
public final class WarmUpTrend {
  private static final double RISE = 1.03;
  private static final int PATIENCE = 3;

  private final Duration longest;
  private Duration loaded = Duration.ZERO;
  private double best;
  private int withoutRise;

  /**
   * @param longest load after which it is warm in any case; a steady rate counts after half of it
   */
  public WarmUpTrend(Duration longest) {
    this.longest = longest;
  }

  /** Adds the rate of a stretch of load. */
  public void add(double rate, Duration lasting) {
    loaded = loaded.plus(lasting);
    withoutRise = rate > best * RISE ? 0 : withoutRise + 1;
    best = Math.max(best, rate);
  }

  public boolean isWarm() {
    boolean steady = withoutRise >= PATIENCE && loaded.multipliedBy(2).compareTo(longest) >= 0;
    return steady || loaded.compareTo(longest) >= 0;
  }
}
