package org.svcmailbox.core.worker.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class InboxTest {
  private final Inbox<String> inbox = new Inbox<>(2, () -> 0);
  private final List<String> refused = new ArrayList<>();
  private final List<String> diverted = new ArrayList<>();

  @Test
  void aDiversionTakesPresentAndFutureElementsUntilItEnds() {
    assertTrue(inbox.offer("queued"));
    inbox.divert(diverted::add);
    assertTrue(inbox.offer("later"));
    assertEquals(List.of("queued", "later"), diverted);
    assertEquals(0, inbox.size());
    inbox.endDiversion();
    assertTrue(inbox.offer("after"));
    assertEquals("after", inbox.poll());
  }

  @Test
  void theEndOfADiversionOpensNoClosedInbox() {
    inbox.divert(diverted::add);
    inbox.close(refused::add);
    assertTrue(inbox.offer("while both"));
    inbox.endDiversion();
    assertTrue(inbox.offer("of a dead worker"));
    assertEquals(List.of("while both", "of a dead worker"), refused);
    assertEquals(List.of(), diverted);
  }

  @Test
  void aSuccessorsInboxIsDivertedUntilTheDiversionEnds() {
    inbox.close(refused::add);
    inbox.divert(diverted::add);
    inbox.open();
    assertTrue(inbox.offer("diverted"));
    assertEquals(List.of("diverted"), diverted);
    assertEquals(List.of(), refused);
  }

  @Test
  void whatIsQueuedIsRefusedAtOnce() {
    assertTrue(inbox.offer("diverted"));
    inbox.divert(diverted::add);
    assertEquals(List.of("diverted"), diverted);
    inbox.endDiversion();
    assertTrue(inbox.offer("refused"));
    inbox.close(refused::add);
    assertEquals(List.of("refused"), refused);
  }

  @Test
  void aFullInboxRefusesUntilAnElementIsDone() {
    assertTrue(inbox.offer("first") && inbox.offer("second"));
    assertFalse(inbox.offer("third"));
    assertEquals("first", inbox.poll());
    assertFalse(inbox.offer("third"), "the worker has not done it");
    inbox.done(1);
    assertTrue(inbox.offer("third"));
    inbox.offerAlways("fourth");
    assertEquals(3, inbox.size());
  }

  @Test
  void aWakeBeforeTheSleepEndsIt() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> {
          inbox.wake();
          inbox.await(Duration.ofMinutes(1).toNanos());
        });
  }

  private void endsASleep(Runnable event) throws InterruptedException {
    Thread worker = new Thread(() -> inbox.await(Duration.ofMinutes(1).toNanos()));
    worker.start();
    while (worker.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    event.run();
    worker.join(Duration.ofSeconds(30).toMillis());
    assertFalse(worker.isAlive());
  }

  @Test
  void aCommandAndAWakeEndASleep() throws InterruptedException {
    endsASleep(inbox::wake);
    endsASleep(() -> inbox.offerAlways("command"));
  }
}
