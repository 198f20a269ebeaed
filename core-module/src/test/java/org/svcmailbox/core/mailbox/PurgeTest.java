package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.time.TestTime;

class PurgeTest {
  private static final Duration MOST = Duration.ofMillis(500);

  private final TestTime time = new TestTime();
  private final Purge purge = new Purge(time, MOST);

  @Test
  void itGoesOnWhateverOneRemovalTakesUntilOneTakesNothing() {
    Queue<Integer> removals = new ArrayDeque<>(List.of(1_000, 1_023, 1, 999, 0, 5));
    assertEquals(3_023, purge.run(removals::remove));
    assertEquals(List.of(5), List.copyOf(removals));
  }

  @Test
  void itEndsWhenItsTimeIsOver() {
    assertEquals(
        5,
        purge.run(
            () -> {
              time.advance(Duration.ofMillis(100));
              return 1;
            }));
  }

  @Test
  void itRemovesOnceHoweverLongThatTakes() {
    assertEquals(
        7,
        purge.run(
            () -> {
              time.advance(MOST.multipliedBy(3));
              return 7;
            }));
  }
}
