package org.svcmailbox.core.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.concurrent.Together;

class BoundTest {
  private static final Duration ENOUGH = Duration.ofMillis(100);

  private final TestTime time = new TestTime();
  private final Bound bound = new Bound("reason", "a sentence", 4, time);

  @Test
  void itTakesWhatFitsToTheLastAndNothingMore() {
    assertTrue(bound.tryAdd(3));
    assertFalse(bound.isFull());
    assertFalse(bound.tryAdd(2));
    assertEquals(3, bound.count(), "who was refused is not counted");
    assertTrue(bound.tryAdd(1));
    assertTrue(bound.isFull());
    assertFalse(bound.tryAdd(1));
    assertTrue(bound.tryAdd(0));
    bound.remove(1);
    assertTrue(bound.tryAdd(1));
  }

  @Test
  void whatIsLargerThanAllOfItNeverFits() {
    assertFalse(bound.tryAdd(5));
    assertEquals(0, bound.count());
  }

  @Test
  void whatIsThereAlreadyCountsAlsoBeyondTheMost() {
    bound.add(6);
    assertTrue(bound.isFull());
    bound.undo(2);
    assertFalse(bound.tryAdd(1));
    bound.recount(3);
    assertTrue(bound.tryAdd(1));
  }

  @Test
  void anotherMostHoldsFromThenOn() {
    assertTrue(bound.tryAdd(6, 6));
    assertEquals(6, bound.capacity());
    assertFalse(bound.tryAdd(1));
    assertFalse(bound.tryAdd(1, 5));
  }

  @Test
  void aRefusalSaysWhichBoundAndWhenToComeBack() {
    bound.add(4);
    assertEquals(Refusal.saturated("reason", "a sentence", Duration.ofSeconds(1)), bound.refusal());
    bound.remove(2);
    bound.add(2);
    time.advance(ENOUGH);
    assertEquals(
        Refusal.saturated("reason", "a sentence", Duration.ofMillis(200)), bound.refusal());
  }

  @Test
  void whatWasCountedByMistakeHasNotDrained() {
    bound.add(4);
    bound.refusal();
    bound.undo(2);
    time.advance(ENOUGH);
    assertEquals(DrainRate.LONGEST, bound.refusal().retryAfter());
  }

  @Test
  void whoeverIsToldToComeBackIsCountedOnceAndNobodyElse() {
    assertTrue(bound.tryAdd(4));
    assertEquals(0, bound.refused());
    assertFalse(bound.tryAdd(1));
    bound.refusal();
    assertEquals(1, bound.refused(), "tried and was refused");
    bound.refusal();
    assertEquals(2, bound.refused(), "was refused without a try");
  }

  @Test
  void manyThreadsTogetherGetNoMoreThanTheMost() throws Exception {
    Bound shared = new Bound("reason", "a sentence", 1_000, time);
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
