package org.svcmailbox.core.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Inbox;

final class AdminQueueTest {
  private final TestTime time = new TestTime();
  private final Inbox<Command> inbox = new Inbox<>(100, time);
  private final AdminQueue queue = new AdminQueue(time, inbox);
  private final List<AdminCommand<?>> done = new ArrayList<>();

  private AdminCommand<?> queued() {
    AdminCommand<?> command = new AdminCommand<>(admin -> 1, new CompletableFuture<>());
    inbox.offerAlways(command);
    assertEquals(command, inbox.poll());
    queue.add(command);
    return command;
  }

  private void carryOut(Duration each) {
    queue.carryOut(
        command -> {
          done.add(command);
          time.advance(each);
        });
  }

  @Test
  void oneStepCarriesOutAllThatFitsIntoItsShare() {
    List<AdminCommand<?>> all = List.of(queued(), queued(), queued(), queued());
    carryOut(AdminQueue.SHARE.dividedBy(2));
    assertEquals(all.subList(0, 3), done);
    assertEquals(1, inbox.size());
    carryOut(Duration.ZERO);
    assertEquals(all, done);
    assertEquals(0, inbox.size());
  }

  @Test
  void aStepCarriesOutOneThatIsLongerThanItsShare() {
    AdminCommand<?> first = queued();
    queued();
    carryOut(Duration.ofMinutes(1));
    assertEquals(List.of(first), done);
  }

  /** The watch refused it while it waited for its step. */
  @Test
  void aCommandWhoseCallerWasRefusedIsNotCarriedOut() {
    AdminCommand<?> refused = queued();
    AdminCommand<?> next = queued();
    refused.refuseLate();
    carryOut(Duration.ZERO);
    assertEquals(List.of(next), done);
    assertEquals(0, inbox.size());
  }

  @Test
  void oneThatBreaksTheWorkerIsRefusedWithThoseBehindIt() {
    AdminCommand<?> first = queued();
    AdminCommand<?> second = queued();
    assertThrows(
        IllegalStateException.class,
        () ->
            queue.carryOut(
                command -> {
                  throw new IllegalStateException("broken");
                }));
    assertEquals(2, inbox.size());
    queue.onSessionLost();
    assertTrue(first.isAnswered() && second.isAnswered());
    assertEquals(0, inbox.size());
  }
}
