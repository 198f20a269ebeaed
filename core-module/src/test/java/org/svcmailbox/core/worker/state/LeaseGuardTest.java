package org.svcmailbox.core.worker.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.problem.UnavailableException;

class LeaseGuardTest {
  private static final long FRESH = LeaseGuard.FRESH.toNanos();

  private long now = Long.MAX_VALUE - FRESH / 2;
  private int asked;
  private final LeaseGuard guard = new LeaseGuard(() -> now);

  private void requireAfter(long wait) {
    guard.require(
        () -> {
          asked++;
          now += wait;
        });
  }

  @Test
  void anAnsweredQuestionCountsForASecondFromWhenItLeft() {
    assertFalse(guard.isFresh());
    guard.answered(now);
    now += FRESH - 1;
    assertTrue(guard.isFresh());
    now++;
    assertFalse(guard.isFresh());
  }

  @Test
  void itAsksOnlyWithoutAnAnswerThatCounts() {
    requireAfter(5);
    requireAfter(5);
    assertEquals(1, asked);
    now += FRESH;
    requireAfter(FRESH - 1);
    assertEquals(2, asked);
    guard.renew();
    requireAfter(0);
    assertEquals(3, asked);
  }

  /** The process may have been stopped while it waited. */
  @Test
  void anAnswerThatComesTooLateIsAskedForAgain() {
    guard.require(() -> now += asked++ == 0 ? FRESH : 1);
    assertEquals(2, asked);
    assertTrue(guard.isFresh());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 1_000})
  void itGivesUpAfterThreeAnswersThatComeTooLate(long times) {
    assertThrows(UnavailableException.class, () -> requireAfter(times * FRESH));
    assertEquals(LeaseGuard.MOST, asked);
    assertFalse(guard.isFresh());
  }

  @Test
  void aQuestionWithoutAnAnswerCountsForNothing() {
    Runnable unanswered =
        () -> {
          throw new UnavailableException("away");
        };
    assertThrows(UnavailableException.class, () -> guard.require(unanswered));
    assertFalse(guard.isFresh());
  }
}
