package org.svcmailbox.ejb.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.problem.StartException;
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
  void aFailureThatWaitsForNothingIsPassedOnAtOnce() {
    trouble = new StartException("the database is away", false, null);
    assertSame(trouble, assertThrows(StartException.class, () -> steps.add(step("a"))));
    assertEquals(List.of(trouble), failures);
    assertEquals(0, waits);
  }

  @Test
  void aFileThatCannotBeUsedIsExplained() {
    trouble = new UncheckedIOException("The file a", new IOException("read-only"));
    String text = explained(steps);
    assertEquals(
        "The file a cannot be used: java.io.IOException: read-only. Correct that and start the"
            + " server again",
        text);
  }

  @Test
  void withTheServersBrokerNothingWaits() {
    StartSteps strict = new StartSteps(false, () -> waits++, failures::add);
    assertEquals(
        "The start failed: the broker is away. Mend that and start the server again",
        explained(strict));
    assertEquals(0, waits);
    assertEquals(NEVER, strict.turn());
  }

  private String explained(StartSteps failing) {
    StartException thrown = assertThrows(StartException.class, () -> failing.add(step("a")));
    assertEquals(List.of(thrown), failures);
    assertSame(trouble, thrown.getCause());
    return String.valueOf(thrown.getMessage());
  }
}
