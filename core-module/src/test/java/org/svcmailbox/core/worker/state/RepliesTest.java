package org.svcmailbox.core.worker.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.problem.UnavailableException;

class RepliesTest {
  private final List<String> told = new ArrayList<>();
  private long now;
  private int asked;
  private boolean isEnded;
  private final LeaseGuard guard = new LeaseGuard(() -> now);
  private final Replies replies = new Replies(Runnable::run, guard, this::ask);
  private final CompletableFuture<SendOutcome> sent = new CompletableFuture<>();
  private final CompletableFuture<SettleOutcome> settled = new CompletableFuture<>();

  RepliesTest() {
    var unusedSent = sent.thenAccept(outcome -> told.add("sent " + outcome));
    var unusedSettled = settled.thenAccept(outcome -> told.add("settled " + outcome));
  }

  private void ask() {
    asked++;
    if (isEnded) {
      throw new UnavailableException("the broker has ended the session");
    }
  }

  private void lease() {
    replies.lease(() -> told.add("leased"), refusal -> told.add("leased " + refusal));
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
    Replies idle = new Replies(handed::add, guard, this::ask);
    idle.onCommit();
    idle.onSessionLost();
    assertEquals(List.of(), handed);
  }

  @Test
  void leasesWaitForNoCommitWhileAnAnswerCounts() {
    guard.answered(now);
    lease();
    replies.flushBeforeCommit();
    assertEquals(List.of("leased"), told);
    replies.onCommit();
    assertEquals(0, asked);
  }

  /** The question would commit what is staged. */
  @Test
  void otherwiseLeasesWaitForTheCommitAndAskAfterIt() {
    lease();
    replies.replyNow(() -> told.add("now"));
    replies.flushBeforeCommit();
    assertEquals(List.of("now"), told);
    replies.onCommit();
    assertEquals(List.of("now", "leased"), told);
    assertEquals(1, asked);
  }

  @Test
  void aCommitThatWasAnsweredMakesAQuestionNeedless() {
    lease();
    replies.flushBeforeCommit();
    guard.answered(now);
    replies.onCommit();
    assertEquals(List.of("leased"), told);
    assertEquals(0, asked);
  }

  @Test
  void answersFromMemoryAreRefusedIfTheSessionHasEndedAndFactsAreNot() {
    isEnded = true;
    MsgId id = new MsgId(1, 2);
    lease();
    replies.send(sent, new SendOutcome.Accepted(id, /* duplicate= */ true));
    replies.extend(settled, SettleOutcome.DONE);
    CompletableFuture<SendOutcome> first = new CompletableFuture<>();
    replies.send(first, new SendOutcome.Accepted(id, /* duplicate= */ false));
    assertThrows(UnavailableException.class, replies::onCommit);
    assertEquals(new SendOutcome.Accepted(id, false), first.join());
    assertEquals(List.of(), told);
    replies.onSessionLost();
    assertEquals(
        List.of(
            "leased " + Refusals.brokerAway(),
            "sent " + Refusals.brokerAway(),
            "settled " + Refusals.brokerAway()),
        told);
  }
}
