package org.svcmailbox.ejb.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.letters.UndeliverableSorter.Sorted;

/** A turn sorts until nothing is left or its time is over, and tells what each transaction did. */
class SortingTest {
  private static final long STEP = Duration.ofMillis(100).toNanos();

  private final List<Sorted> left = new ArrayList<>();
  private final List<Sorted> told = new ArrayList<>();
  private final List<Long> pauses = new ArrayList<>();
  private int steps;
  private long now = Long.MAX_VALUE - STEP;

  private boolean database = true;

  private final Sorting sorting = sorting(this::step);

  private Sorting sorting(Supplier<Sorted> step) {
    return new Sorting(step, told::add, () -> now, this::pause, () -> database);
  }

  private static Sorted sorted(int count) {
    return new Sorted(Map.of(), count, 0, 0);
  }

  private Sorted step() {
    steps++;
    now += STEP;
    return left.isEmpty() ? sorted(0) : left.remove(0);
  }

  private void pause(long nanos) {
    pauses.add(nanos);
    now += nanos;
  }

  private void waiting(int transactions) {
    for (int i = 1; i <= transactions; i++) {
      left.add(sorted(i));
    }
  }

  @Test
  void whatThereIsIsToldInItsOrderAndThenOnceThatThereIsNothing() {
    waiting(2);
    sorting.turn();
    assertEquals(List.of(sorted(1), sorted(2), sorted(0)), told);
  }

  @Test
  void aTurnEndsWithTheTransactionThatPassesItsTimeAndTheNextGoesOn() {
    waiting(4);
    sorting.turn();
    // With their pauses, two transactions take four fifths of a turn.
    assertEquals(5, Sorting.TURN.toNanos() / STEP);
    assertEquals(List.of(sorted(1), sorted(2), sorted(3)), told);
    sorting.turn();
    assertEquals(List.of(sorted(4), sorted(0)), told.subList(3, 5));
  }

  @Test
  void sendersHaveAsLongAsEachTransactionTook() {
    waiting(2);
    sorting.turn();
    assertEquals(List.of(STEP, STEP), pauses, "none after the one that found nothing");
  }

  @Test
  void eachKindOfMessageKeepsATurnGoing() {
    left.add(new Sorted(Map.of(), 0, 1, 0));
    left.add(new Sorted(Map.of(), 0, 0, 1));
    sorting.turn();
    assertEquals(3, steps);
  }

  @Test
  void aFailureHalfWayEndsTheTurnAndTheNextGoesOn() {
    waiting(2);
    Sorting failing =
        sorting(
            () -> {
              if (left.isEmpty() && steps == 2) {
                steps++;
                throw new UnavailableException("the broker is away");
              }
              return step();
            });
    assertThrows(UnavailableException.class, failing::turn);
    assertEquals(List.of(sorted(1), sorted(2)), told, "what was sorted before is told");
    left.add(sorted(3));
    failing.turn();
    assertEquals(List.of(sorted(3), sorted(0)), told.subList(2, 4));
  }

  @Test
  void aMessageThatNeedsATopicWaitsForTheDatabase() {
    waiting(1);
    Sorting failing =
        sorting(
            () -> {
              if (!database && left.isEmpty()) {
                throw new UnavailableException("the database is away");
              }
              return step();
            });
    database = false;
    failing.turn();
    assertEquals(List.of(sorted(1)), told);
    database = true;
    failing.turn();
    assertEquals(List.of(sorted(1), sorted(0)), told);
  }
}
