package org.svcmailbox.core.delivery;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The wall clock as it was once, moved on by the ticker ever since: whoever sets the wall clock
 * afterwards moves no deadline. After a restart it begins with the wall clock as it then is.
 */
public final class SteadyClock implements InstantSource {
  private final Ticker ticker;
  private final Instant anchor;
  private final long anchored;

  /** Begins with what {@code wall} says now. */
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
