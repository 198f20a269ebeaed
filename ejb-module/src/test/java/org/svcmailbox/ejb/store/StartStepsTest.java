package org.svcmailbox.ejb.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.problem.UnavailableException;

class StartStepsTest {
  private static final long SOON = StartSteps.EVERY.toNanos();
  private static final long NEVER = Long.MAX_VALUE;

  private final List<String> done = new ArrayList<>();
  private final List<RuntimeException> failures = new ArrayList<>();
  private int waits;
  private RuntimeException trouble = new UnavailableException("the broker is away");
  private boolean isWell;

  private final StartSteps steps = new StartSteps(true, () -> waits++, failures::add);

  private Runnable step(String name) {
    return () -> {
      if (!isWell) {
        throw trouble;
      }
      done.add(name);
    };
  }

  @Test
  void withTheBrokerEachStepIsDoneAtOnce() {
    isWell = true;
    steps.add(step("a"));
    steps.add(step("b"));
    assertEquals(List.of("a", "b"), done);
    assertEquals("", steps.reason());
    assertEquals(0, waits);
    assertEquals(NEVER, steps.turn());
  }

  @Test
  void aStepWithoutTheBrokerWaitsAndThoseBehindItToo() {
    steps.add(step("a"));
    isWell = true;
    steps.add(step("b"));
    isWell = false;
    assertEquals(1, waits);
    assertEquals("the broker is away", steps.reason());
    assertEquals(SOON, steps.turn());
    trouble = new UnavailableException("wrong password");
    assertEquals(SOON, steps.turn());
    assertEquals("wrong password", steps.reason());
    assertEquals(List.of(), done);
    isWell = true;
    assertEquals(NEVER, steps.turn());
    assertEquals(List.of("a", "b"), done);
    assertEquals("", steps.reason());
    steps.add(step("c"));
    assertEquals(List.of("a", "b", "c"), done);
  }

  @Test
  void aBrokerThatGoesBetweenTwoStepsIsWaitedForAgain() {
    steps.add(step("a"));
    steps.add(
        () -> {
          isWell = done.size() > 1;
          done.add("tried");
          step("b").run();
        });
    isWell = true;
    assertEquals(SOON, steps.turn());
    assertEquals(List.of("a", "tried"), done);
    assertEquals(NEVER, steps.turn());
    assertEquals(List.of("a", "tried", "tried", "b"), done);
  }

  @Test
  void anotherFailureEndsTheStart() {
    steps.add(step("a"));
    steps.add(step("b"));
    trouble = new IllegalStateException("no pair");
    assertEquals(NEVER, steps.turn());
    assertEquals(List.of(trouble), failures);
    assertEquals("the start failed; see the log", steps.reason());
    isWell = true;
    assertEquals(NEVER, steps.turn());
    assertEquals(List.of(), done);
  }

  @Test
  void withTheServersBrokerNothingWaits() {
    StartSteps strict = new StartSteps(false, () -> waits++, failures::add);
    assertThrows(UnavailableException.class, () -> strict.add(step("a")));
    assertEquals(0, waits);
    assertEquals(NEVER, strict.turn());
  }
}
