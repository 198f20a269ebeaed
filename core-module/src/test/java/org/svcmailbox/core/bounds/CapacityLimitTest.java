package org.svcmailbox.core.bounds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.test.concurrent.Together;

class CapacityLimitTest {
  private static final Duration ENOUGH = Duration.ofMillis(100);

  private final TestTime time = new TestTime();
  private final CapacityLimit limit = new CapacityLimit("reason", "a sentence", 4, time);

  @Test
  void itTakesWhatFitsToTheLastAndNothingMore() {
    assertTrue(limit.tryAdd(3));
    assertFalse(limit.isFull());
    assertFalse(limit.tryAdd(2));
    assertEquals(3, limit.count(), "who was refused is not counted");
    assertTrue(limit.tryAdd(1));
    assertTrue(limit.isFull());
    assertFalse(limit.tryAdd(1));
    assertTrue(limit.tryAdd(0));
    limit.remove(1);
    assertTrue(limit.tryAdd(1));
  }

  @Test
  void whatIsLargerThanAllOfItNeverFits() {
    assertFalse(limit.tryAdd(5));
    assertEquals(0, limit.count());
  }

  @Test
  void whatIsThereAlreadyCountsAlsoBeyondTheMost() {
    limit.add(6);
    assertTrue(limit.isFull());
    limit.undo(2);
    assertFalse(limit.tryAdd(1));
    limit.recount(3);
    assertTrue(limit.tryAdd(1));
  }

  @Test
  void anotherMostHoldsFromThenOn() {
    assertTrue(limit.tryAdd(6, 6));
    assertEquals(6, limit.capacity());
    assertFalse(limit.tryAdd(1));
    assertFalse(limit.tryAdd(1, 5));
  }

  @Test
  void aRefusalSaysWhichBoundAndWhenToComeBack() {
    limit.add(4);
    assertEquals(Refusal.saturated("reason", "a sentence", Duration.ofSeconds(1)), limit.refusal());
    limit.remove(2);
    limit.add(2);
    time.advance(ENOUGH);
    assertEquals(
        Refusal.saturated("reason", "a sentence", Duration.ofMillis(200)), limit.refusal());
  }

  @Test
  void whatWasCountedByMistakeHasNotDrained() {
    limit.add(4);
    limit.refusal();
    limit.undo(2);
    time.advance(ENOUGH);
    assertEquals(DrainRate.LONGEST, limit.refusal().retryAfter());
  }

  @Test
  void whoeverIsToldToComeBackIsCountedOnceAndNobodyElse() {
    assertTrue(limit.tryAdd(4));
    assertEquals(0, limit.refused());
    assertFalse(limit.tryAdd(1));
    assertEquals(limit.refusal(), limit.refuse());
    assertEquals(1, limit.refused(), "tried and was refused");
    Refusal told = limit.refusal();
    assertEquals(1, limit.refused(), "a question counts nothing");
    assertEquals(told, limit.refuse());
    assertEquals(2, limit.refused(), "was refused without a try");
  }

  @Test
  void manyThreadsTogetherGetNoMoreThanTheMost() throws Exception {
    CapacityLimit shared = new CapacityLimit("reason", "a sentence", 1_000, time);
    Callable<Integer> greedy =
        () -> {
          int got = 0;
          for (int i = 0; i < 1_000; i++) {
            got += shared.tryAdd(1) ? 1 : 0;
          }
          return got;
        };
    int got = Together.run(4, greedy).stream().mapToInt(Integer::intValue).sum();
    assertTrue(got <= 1_000, "got " + got);
    assertEquals(got, shared.count());
  }
}
