package org.svcmailbox.core.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A wall clock that the ticker advances, so that setting the system's clock moves no deadline. */
public final class SteadyClock implements InstantSource {
  private final Ticker ticker;
  private final Instant anchor;
  private final long anchored;

  public SteadyClock(InstantSource wall, Ticker ticker) {
    this.ticker = ticker;
    this.anchored = ticker.nanos();
    this.anchor = wall.instant();
  }

  @Override
  public Instant instant() {
    return anchor.plus(Duration.ofNanos(ticker.nanos() - anchored));
  }
}
