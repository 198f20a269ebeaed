package org.svcmailbox.bench.options;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WarmUpTrendTest {
  private static final Duration STRETCH = Duration.ofSeconds(10);

  private final WarmUpTrend warmth = new WarmUpTrend(Duration.ofSeconds(100));

  private void add(double... rates) {
    for (double rate : rates) {
      warmth.add(rate, STRETCH);
    }
  }

  @Test
  void aSteadyRateIsWarmAfterHalfOfTheTime() {
    add(100, 100, 100, 100);
    assertFalse(warmth.isWarm());
    add(101);
    assertTrue(warmth.isWarm());
  }

  @Test
  void aRisingRateIsNotWarm() {
    add(100, 110, 121, 133, 146, 160, 150, 160);
    assertFalse(warmth.isWarm());
    add(160);
    assertTrue(warmth.isWarm());
  }

  @Test
  void aRateThatKeepsRisingIsWarmAfterTheLongestTime() {
    add(1, 2, 4, 8, 16, 32, 64, 128, 256);
    assertFalse(warmth.isWarm());
    add(512);
    assertTrue(warmth.isWarm());
  }
}
