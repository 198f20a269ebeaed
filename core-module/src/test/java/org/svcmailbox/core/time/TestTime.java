package org.svcmailbox.core.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Wall clock and ticker that only tests move. */
public final class TestTime implements Ticker, InstantSource {
  private Instant wall = Instant.parse("2026-01-01T00:00:00Z");
  // Begins just before the ticker wraps: only differences may mean anything.
  private long nanos = Long.MAX_VALUE - Duration.ofSeconds(20).toNanos();

  /** Advances both. */
  public void advance(Duration by) {
    wall = wall.plus(by);
    nanos += by.toNanos();
  }

  /** Moves the wall clock alone, as an administrator or NTP would. */
  public void jumpWall(Duration by) {
    wall = wall.plus(by);
  }

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public Instant instant() {
    return wall;
  }
}
