package org.svcmailbox.core.worker.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;

class RepliesTest {
  private final List<String> told = new ArrayList<>();
  private final Replies replies = new Replies(Runnable::run);
  private final CompletableFuture<SendOutcome> sent = new CompletableFuture<>();
  private final CompletableFuture<SettleOutcome> settled = new CompletableFuture<>();

  RepliesTest() {
    var unusedSent = sent.thenAccept(outcome -> told.add("sent " + outcome));
    var unusedSettled = settled.thenAccept(outcome -> told.add("settled " + outcome));
  }

  private void promiseAll() {
    replies.send(sent, new SendOutcome.HashMismatch());
    replies.whenDone(() -> told.add("done"));
    replies.settle(settled, SettleOutcome.DONE);
    replies.replyNow(() -> told.add("now"));
  }

  @Test
  void promisesWaitForTheCommitAndOtherAnswersDoNot() {
    promiseAll();
    replies.flushImmediate();
    assertEquals(List.of("now"), told);
    assertFalse(sent.isDone() || settled.isDone());
    replies.onCommit();
    assertEquals(List.of("now", "sent HashMismatch[]", "done", "settled Done[]"), told);
  }

  @Test
  void aCommitTellsWhatIsImmediateFirst() {
    promiseAll();
    replies.onCommit();
    assertEquals("now", told.get(0));
  }

  @Test
  void aLostSessionRefusesWhatWasPromisedAndRunsTheTasks() {
    promiseAll();
    replies.onSessionLost();
    assertEquals(
        List.of("now", "sent " + Refusals.brokerAway(), "done", "settled " + Refusals.brokerAway()),
        told);
  }

  @Test
  void whatWasToldIsNotToldAgain() {
    promiseAll();
    replies.onCommit();
    int all = told.size();
    replies.onSessionLost();
    replies.onCommit();
    assertEquals(all, told.size());
  }

  @Test
  void nothingIsHandedToTheCompleterForAStepWithoutAnswers() {
    List<Runnable> handed = new ArrayList<>();
    Replies idle = new Replies(handed::add);
    idle.onCommit();
    idle.onSessionLost();
    assertEquals(List.of(), handed);
  }
}
