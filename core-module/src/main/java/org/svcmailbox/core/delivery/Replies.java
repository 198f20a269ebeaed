package org.svcmailbox.core.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The answers of one step. Those that promise something wait for the commit; all are handed to the
 * completer, a whole list at a time. Whoever waits for one must not do more on the completer's
 * thread than hand it on.
 */
final class Replies {
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
   * @param completer must take whatever it is given; it need not keep the order
   */
  Replies(Executor completer) {
    this.completer = completer;
  }

  /** An answer that promises nothing and need not wait for the commit. */
  void replyNow(Runnable answer) {
    immediate.add(answer);
  }

  /** An answer that holds once the step is committed. */
  void send(CompletableFuture<SendOutcome> future, SendOutcome outcome) {
    promised.add(new PendingSend(future, outcome));
  }

  /** An answer that holds once the step is committed. */
  void settle(CompletableFuture<SettleOutcome> future, SettleOutcome outcome) {
    promised.add(new PendingSettle(future, outcome));
  }

  /** Gives the answers that wait for nothing. */
  void flushImmediate() {
    if (!immediate.isEmpty()) {
      List<Runnable> answers = immediate;
      immediate = new ArrayList<>();
      completer.execute(() -> answers.forEach(Runnable::run));
    }
  }

  /** The step is on disk. */
  void committed() {
    flushImmediate();
    List<Pending> answers = takePromised();
    if (!answers.isEmpty()) {
      completer.execute(() -> answers.forEach(Pending::committed));
    }
  }

  /** The step may or may not be on disk: nothing that was promised holds. */
  void failed(Refusal refusal) {
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
