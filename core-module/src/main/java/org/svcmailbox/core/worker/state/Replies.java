package org.svcmailbox.core.worker.state;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;

/**
 * The answers of one step; promised answers wait for the commit. Continuations run on the completer
 * and must do no more than hand answers on.
 */
public final class Replies implements StepPart {
  private interface Pending {
    void keep();

    void refuse(Refusal refusal);
  }

  private record Promise<T>(CompletableFuture<T> future, T outcome, Function<Refusal, T> refused)
      implements Pending {
    @Override
    public void keep() {
      future.complete(outcome);
    }

    @Override
    public void refuse(Refusal refusal) {
      future.complete(refused.apply(refusal));
    }
  }

  private record Task(Runnable task) implements Pending {
    @Override
    public void keep() {
      task.run();
    }

    @Override
    public void refuse(Refusal refusal) {
      task.run();
    }
  }

  private final Executor completer;
  private List<Runnable> immediate = new ArrayList<>();
  private List<Pending> promised = new ArrayList<>();

  /**
   * @param completer must accept every task, and may run them in any order
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
    promised.add(new Promise<>(future, outcome, refusal -> refusal));
  }

  /** Runs a task after the commit, or once its outcome is in doubt. */
  public void whenDone(Runnable task) {
    promised.add(new Task(task));
  }

  public void settle(CompletableFuture<SettleOutcome> future, SettleOutcome outcome) {
    promised.add(new Promise<>(future, outcome, refusal -> refusal));
  }

  public void flushImmediate() {
    if (!immediate.isEmpty()) {
      List<Runnable> answers = immediate;
      immediate = new ArrayList<>();
      completer.execute(() -> answers.forEach(Runnable::run));
    }
  }

  @Override
  public void onCommit() {
    flushImmediate();
    List<Pending> answers = takePromised();
    if (!answers.isEmpty()) {
      completer.execute(() -> answers.forEach(Pending::keep));
    }
  }

  /** Refuses everything that was promised. */
  @Override
  public void onSessionLost() {
    flushImmediate();
    Refusal refusal = Refusals.brokerAway();
    List<Pending> answers = takePromised();
    if (!answers.isEmpty()) {
      completer.execute(() -> answers.forEach(answer -> answer.refuse(refusal)));
    }
  }

  private List<Pending> takePromised() {
    List<Pending> answers = promised;
    promised = new ArrayList<>();
    return answers;
  }
}
