package org.svcmailbox.core.bounds;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.time.TestTime;

class DrainRateTest {
  private static final Duration ENOUGH = Duration.ofMillis(100);

  private final TestTime time = new TestTime();
  private final DrainRate rate = new DrainRate();

  private Duration until(long backlog) {
    return rate.until(backlog, time.nanos());
  }

  /** Starts the measurement, which the first refusal does. */
  private void begin() {
    assertEquals(DrainRate.UNKNOWN, until(1_000));
  }

  private void drained(long count, Duration in) {
    rate.drained(count);
    time.advance(in);
  }

  @Test
  void theFirstOneHearsASecondWhateverDrainedBefore() {
    rate.drained(1_000_000);
    assertEquals(Duration.ofSeconds(1), until(1));
  }

  @Test
  void tooShortAMeasurementIsNotUsed() {
    begin();
    drained(10, ENOUGH.minusNanos(1));
    assertEquals(DrainRate.UNKNOWN, until(20));
    time.advance(Duration.ofNanos(1));
    assertEquals(Duration.ofMillis(200), until(20));
  }

  @Test
  void whatWentBeforeTheMeasurementDoesNotCount() {
    rate.drained(1_000);
    begin();
    drained(1, ENOUGH);
    assertEquals(Duration.ofMillis(500), until(5));
  }

  @Test
  void theAnswerIsWithinItsBounds() {
    begin();
    drained(10, ENOUGH);
    assertEquals(Duration.ofMillis(100), until(0));
    assertEquals(Duration.ofMillis(100), until(10));
    assertEquals(Duration.ofMillis(110), until(11));
    assertEquals(Duration.ofMillis(29_990), until(2_999));
    assertEquals(Duration.ofSeconds(30), until(3_000));
    assertEquals(Duration.ofSeconds(30), until(Long.MAX_VALUE));
  }

  @Test
  void whereNothingDrainsTheLongestIsSaid() {
    begin();
    time.advance(ENOUGH);
    assertEquals(Duration.ofSeconds(30), until(1));
  }

  @Test
  void anOldMeasurementIsThrownAway() {
    begin();
    drained(10, Duration.ofSeconds(2));
    assertEquals(Duration.ofSeconds(2), until(10), "just young enough");

    DrainRate other = new DrainRate();
    other.until(10, time.nanos());
    other.drained(10);
    time.advance(Duration.ofSeconds(2).plusNanos(1));
    assertEquals(DrainRate.UNKNOWN, other.until(10, time.nanos()));
    other.drained(5);
    time.advance(ENOUGH);
    assertEquals(Duration.ofMillis(200), other.until(10, time.nanos()), "only since then");
  }

  @Test
  void afterASecondItIsMeasuredAnewAndTheLastAnswerHoldsMeanwhile() {
    begin();
    drained(10, Duration.ofMillis(1_001));
    assertEquals(Duration.ofMillis(1_001), until(10));
    drained(1_000, ENOUGH.minusNanos(1));
    assertEquals(Duration.ofMillis(1_001), until(10));
    time.advance(Duration.ofNanos(1));
    assertEquals(Duration.ofMillis(100), until(1_000), "what drained since the new beginning");
  }

  @Test
  void aWrappingTickerIsNoMatter() {
    time.advance(Duration.ofSeconds(20).minusMillis(50));
    begin();
    drained(10, ENOUGH);
    assertEquals(Duration.ofMillis(200), until(20));
  }
}
