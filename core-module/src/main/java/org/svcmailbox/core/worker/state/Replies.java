package org.svcmailbox.core.worker.state;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;

/**
 * The answers of one step; promises wait for the commit. Continuations run on the completer and
 * must do no more than hand answers on.
 */
public final class Replies {
  private interface Pending {
    void committed();

    void failed(Refusal refusal);
  }

  private record PendingSend(CompletableFuture<SendOutcome> future, SendOutcome outcome)
      implements Pending {
    @Override
    public void committed() {
      future.complete(outcome);
    }

    @Override
    public void failed(Refusal refusal) {
      future.complete(refusal);
    }
  }

  private record PendingSettle(CompletableFuture<SettleOutcome> future, SettleOutcome outcome)
      implements Pending {
    @Override
    public void committed() {
      future.complete(outcome);
    }

    @Override
    public void failed(Refusal refusal) {
      future.complete(refusal);
    }
  }

  private final Executor completer;
  private List<Runnable> immediate = new ArrayList<>();
  private List<Pending> promised = new ArrayList<>();

  /**
   * @param completer must accept everything, in any order
   */
  Replies(Executor completer) {
    this.completer = completer;
  }

  /** Adds an answer that does not wait for the commit. */
  public void replyNow(Runnable answer) {
    immediate.add(answer);
  }

  /** Promises an outcome: the answer waits for the commit. */
  public void send(CompletableFuture<SendOutcome> future, SendOutcome outcome) {
    promised.add(new PendingSend(future, outcome));
  }

  public void settle(CompletableFuture<SettleOutcome> future, SettleOutcome outcome) {
    promised.add(new PendingSettle(future, outcome));
  }

  public void flushImmediate() {
    if (!immediate.isEmpty()) {
      List<Runnable> answers = immediate;
      immediate = new ArrayList<>();
      completer.execute(() -> answers.forEach(Runnable::run));
    }
  }

  public void committed() {
    flushImmediate();
    List<Pending> answers = takePromised();
    if (!answers.isEmpty()) {
      completer.execute(() -> answers.forEach(Pending::committed));
    }
  }

  /** The commit is in doubt: refuses all that was promised. */
  public void failed(Refusal refusal) {
    flushImmediate();
    List<Pending> answers = takePromised();
    if (!answers.isEmpty()) {
      completer.execute(() -> answers.forEach(answer -> answer.failed(refusal)));
    }
  }

  private List<Pending> takePromised() {
    List<Pending> answers = promised;
    promised = new ArrayList<>();
    return answers;
  }
}
