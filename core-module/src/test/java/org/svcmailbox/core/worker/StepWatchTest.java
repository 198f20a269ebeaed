package org.svcmailbox.core.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.worker.dispatch.GiveBack;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Inbox;

class StepWatchTest {
  private final Inbox<Command> inbox = new Inbox<>(100, () -> 0);
  private final List<Command> refused = new ArrayList<>();
  private final StepWatch watch = new StepWatch(inbox, refused::add);
  private int owedRefusals;
  private long moves;

  private boolean look() {
    return watch.look(moves, () -> owedRefusals++);
  }

  /** Checks {@code count} times; returns how often the step was long. */
  private int look(int count) {
    int isLong = 0;
    for (int i = 0; i < count; i++) {
      isLong += look() ? 1 : 0;
    }
    return isLong;
  }

  private static Command command() {
    return new AdminCommand<>(admin -> 1, new CompletableFuture<>());
  }

  /** The first check of a step sees that it is another one. */
  private void beginStep() {
    watch.begun();
    assertFalse(look());
  }

  @Test
  void aWorkerThatSleepsIsNeitherLongNorStalled() {
    assertEquals(0, look(100));
    beginStep();
    watch.ended();
    assertEquals(0, look(100));
    assertFalse(watch.isStalled());
  }

  @Test
  void manyShortStepsAreNotALongOne() {
    for (int i = 0; i < 100; i++) {
      beginStep();
      watch.ended();
    }
    assertFalse(watch.isStalled());
  }

  @Test
  void aStepIsLongFromItsSecondCheckAndStillFromItsTwentieth() {
    beginStep();
    assertEquals(StepWatch.STILL_LOOKS - StepWatch.LONG_LOOKS, look(StepWatch.STILL_LOOKS - 1));
    assertFalse(watch.isStalled());
    assertTrue(look());
    assertTrue(watch.isStalled());
    assertEquals(1, owedRefusals);
  }

  @Test
  void aBusyStepIsLongAndNotStalled() {
    beginStep();
    for (int i = 0; i < 10 * StepWatch.STILL_LOOKS; i++) {
      moves++;
      look();
    }
    assertTrue(look());
    assertFalse(watch.isStalled());
    assertEquals(StepWatch.STILL_LOOKS - 1, look(StepWatch.STILL_LOOKS - 1));
    assertTrue(watch.isStalled(), "it moves no more");
  }

  @Test
  void callersOfAWorkerThatOpensItsSessionAreRefusedSooner() {
    watch.opening();
    beginStep();
    assertFalse(look());
    assertFalse(watch.isStalled());
    assertTrue(look());
    assertTrue(watch.isStalled());
  }

  @Test
  void anOpenedSessionHasAsMuchTimeAsAnyStep() {
    watch.opening();
    beginStep();
    look();
    watch.opened();
    assertTrue(look());
    assertFalse(watch.isStalled());
  }

  @Test
  void theEndOfAStepEndsTheOpening() {
    watch.opening();
    watch.ended();
    watch.ended();
    beginStep();
    look(StepWatch.LONG_LOOKS);
    assertFalse(watch.isStalled());
  }

  private void stall() {
    beginStep();
    look(StepWatch.STILL_LOOKS);
    assertTrue(watch.isStalled());
  }

  @Test
  void aStalledWorkersCommandsAreRefusedUntilItsStepEnds() {
    Command queued = command();
    assertTrue(inbox.offer(queued));
    stall();
    Command later = command();
    assertTrue(inbox.offer(later));
    assertEquals(List.of(queued, later), refused);
    watch.ended();
    assertFalse(watch.isStalled());
    Command after = command();
    assertTrue(inbox.offer(after));
    assertEquals(after, inbox.poll());
    assertEquals(2, refused.size());
  }

  /** Dropped, their leases would last until their deadlines. */
  @Test
  void leasesThatNoClientGotWaitForTheWorker() {
    stall();
    GiveBack unread = new GiveBack(List.of());
    inbox.offerAlways(unread);
    assertEquals(List.of(), refused);
    assertEquals(0, inbox.size());
    watch.ended();
    assertEquals(unread, inbox.poll());
  }

  @Test
  void aStepThatEndsWhileItIsFoundStalledResumes() {
    beginStep();
    look(StepWatch.STILL_LOOKS - 1);
    watch.look(moves, watch::ended);
    assertFalse(watch.isStalled());
    assertTrue(inbox.offer(command()));
    assertEquals(List.of(), refused);
  }
}
