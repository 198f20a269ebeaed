package org.svcmailbox.core.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.time.TestTime;

class BucketsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Optional<Duration> TAKEN = Optional.empty();

  private final TestTime time = new TestTime();
  private final Buckets<String> buckets = new Buckets<>(10, time::nanos);

  private Optional<Duration> twoASecond(String owner) {
    return buckets.take(owner, 2, SECOND);
  }

  private static Optional<Duration> wait(Duration left) {
    return Optional.of(left);
  }

  @Test
  void aBucketHoldsItsCallsAndSaysToTheNanosecondWhenTheNextIsThere() {
    assertEquals(TAKEN, twoASecond("a"));
    assertEquals(TAKEN, twoASecond("a"));
    assertEquals(wait(Duration.ofMillis(500)), twoASecond("a"));
    time.advance(Duration.ofNanos(499_999_999));
    assertEquals(wait(Duration.ofNanos(1)), twoASecond("a"));
    time.advance(Duration.ofNanos(1));
    assertEquals(TAKEN, twoASecond("a"));
    assertEquals(wait(Duration.ofMillis(500)), twoASecond("a"));
  }

  @Test
  void whoeverIsRefusedLosesNothingByAsking() {
    twoASecond("a");
    twoASecond("a");
    for (int i = 0; i < 10; i++) {
      assertEquals(wait(Duration.ofMillis(500)), twoASecond("a"));
    }
  }

  @Test
  void aBucketThatWasNotUsedIsFullAndNoFuller() {
    twoASecond("a");
    time.advance(Duration.ofMinutes(59));
    assertEquals(TAKEN, twoASecond("a"));
    assertEquals(TAKEN, twoASecond("a"));
    assertEquals(wait(Duration.ofMillis(500)), twoASecond("a"));
  }

  @Test
  void ownersAndRatesHaveBucketsOfTheirOwn() {
    assertEquals(TAKEN, buckets.take("a", 1, SECOND));
    assertEquals(TAKEN, buckets.take("b", 1, SECOND));
    assertEquals(TAKEN, buckets.take("a", 1, HOUR));
    assertEquals(TAKEN, buckets.take("a", 2, SECOND));
    assertEquals(wait(SECOND), buckets.take("a", 1, SECOND));
    assertEquals(wait(HOUR), buckets.take("a", 1, HOUR));
    assertEquals(4, buckets.size());
  }

  @Test
  void aClockThatWrapsRefillsAsAnyOther() {
    twoASecond("a");
    twoASecond("a");
    long before = time.nanos();
    time.advance(Duration.ofSeconds(30));
    assertTrue(time.nanos() < before, "the ticker has wrapped");
    assertEquals(TAKEN, twoASecond("a"));
    assertEquals(TAKEN, twoASecond("a"));
    assertEquals(wait(Duration.ofMillis(500)), twoASecond("a"));
  }

  @Test
  void theGreatestRatesThatCanBeWrittenAreCountedToo() {
    int most = 999_999_999;
    assertEquals(TAKEN, buckets.take("a", most, SECOND));
    assertEquals(TAKEN, buckets.take("a", most, HOUR));
    time.advance(HOUR.minusNanos(1));
    assertEquals(TAKEN, buckets.take("a", most, HOUR));
  }

  @Test
  void thereAreNeverMoreThanTheMost() {
    for (int i = 0; i < 1_000; i++) {
      assertEquals(TAKEN, twoASecond("owner " + i));
      assertTrue(buckets.size() <= 10, "after " + i);
    }
  }

  @Test
  void whatNobodyUsedForTheLongestPeriodIsForgotten() {
    twoASecond("a");
    time.advance(Buckets.LONGEST_PERIOD);
    twoASecond("b");
    assertEquals(1, buckets.size());
  }
}
