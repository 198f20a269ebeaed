package org.svcmailbox.core.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.rate.Buckets.Limit;
import org.svcmailbox.core.time.TestTime;

class BucketsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Optional<Duration> TAKEN = Optional.empty();

  private final TestTime time = new TestTime();
  private final Buckets<String> buckets = new Buckets<>(10, time::nanos);

  private Optional<Duration> twoASecond(String owner) {
    return take(owner, 2, SECOND);
  }

  private Optional<Duration> take(String owner, int calls, Duration period) {
    return buckets.take(owner, List.of(new Limit<>(owner, calls, period)));
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
    assertEquals(TAKEN, take("a", 1, SECOND));
    assertEquals(TAKEN, take("b", 1, SECOND));
    assertEquals(TAKEN, take("a", 1, HOUR));
    assertEquals(TAKEN, take("a", 2, SECOND));
    assertEquals(wait(SECOND), take("a", 1, SECOND));
    assertEquals(wait(HOUR), take("a", 1, HOUR));
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
    assertEquals(TAKEN, take("a", most, SECOND));
    assertEquals(TAKEN, take("a", most, HOUR));
    time.advance(HOUR.minusNanos(1));
    assertEquals(TAKEN, take("a", most, HOUR));
  }

  @Test
  void aFullTableForgetsNoBucketThatIsNotFull() {
    List<String> owners = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      owners.add("owner " + i);
      assertEquals(TAKEN, take("owner " + i, 1, HOUR));
    }
    for (int i = 0; i < 100; i++) {
      assertEquals(wait(Buckets.CROWDED), take("late " + i, 1, HOUR));
    }
    owners.forEach(owner -> assertEquals(wait(HOUR), take(owner, 1, HOUR)));
    assertEquals(10, buckets.size());
    time.advance(HOUR);
    assertEquals(TAKEN, take("late", 1, HOUR));
    assertEquals(1, buckets.size());
  }

  @Test
  void aHolderOfManyLeavesRoomForOthers() {
    int greedy = 0;
    while (ofGreedy(greedy).isEmpty()) {
      greedy++;
    }
    assertEquals(5, greedy, "as many as are free");
    assertEquals(wait(Buckets.CROWDED), ofGreedy(greedy));
    for (int i = 0; i < 5; i++) {
      assertEquals(TAKEN, take("quiet " + i, 1, HOUR));
    }
  }

  private Optional<Duration> ofGreedy(int i) {
    return buckets.take("greedy", List.of(new Limit<>("greedy " + i, 1, HOUR)));
  }

  @Test
  void aCallThatOneLimitRefusesTakesNothingOfTheOthers() {
    Limit<String> first = new Limit<>("first", 1, HOUR);
    Limit<String> second = new Limit<>("second", 1, SECOND);
    assertEquals(TAKEN, buckets.take("a", List.of(second)));
    assertEquals(wait(SECOND), buckets.take("a", List.of(first, second)));
    assertEquals(TAKEN, buckets.take("a", List.of(first)));
    time.advance(SECOND);
    for (int i = 0; i < 10; i++) {
      Limit<String> more = new Limit<>("more " + i, 1, HOUR);
      assertTrue(buckets.take("a", List.of(first, second, more)).isPresent());
    }
    assertEquals(1, buckets.size(), "what the first refuses makes no bucket");
    assertEquals(TAKEN, buckets.take("a", List.of(second)));
  }

  /** Against tables that forget nothing. */
  @Test
  void anyProgramFindsTheBucketsThatItWouldFindInATableWithoutBounds() {
    long seed = Long.getLong("mailbox.seed", System.nanoTime());
    Random random = new Random(seed);
    Map<String, Buckets<String>> model = new HashMap<>();
    int crowded = 0;
    for (int step = 0; step < 20_000; step++) {
      time.advance(Duration.ofMillis(random.nextInt(100)));
      String holder = "holder " + random.nextInt(3);
      String owner = holder + "/" + random.nextInt(12);
      List<Limit<String>> limits =
          List.of(
              new Limit<>(
                  owner, 1 + random.nextInt(2), SECOND.multipliedBy(1 + random.nextInt(2))));
      Buckets<String> unbounded =
          model.computeIfAbsent(limits.toString(), key -> new Buckets<>(2, time::nanos));
      Optional<Duration> found = buckets.take(holder, limits);
      assertTrue(buckets.size() <= 10);
      unbounded.take("nobody", List.of());
      if (found.equals(wait(Buckets.CROWDED)) && unbounded.size() == 0) {
        crowded++;
      } else {
        assertEquals(unbounded.take(holder, limits), found, "seed " + seed + ", step " + step);
      }
    }
    assertTrue(crowded > 100, "seed " + seed + ": the table was never full");
  }

  @Test
  void aBucketThatIsFullAgainIsForgotten() {
    twoASecond("a");
    time.advance(Duration.ofMillis(500));
    twoASecond("b");
    assertEquals(1, buckets.size());
  }
}
