package org.svcmailbox.core.worker.state;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;

/**
 * The answers of one step. Promised answers wait for the commit. Answers from memory that promise
 * messages wait until {@link LeaseGuard} lets them go. Continuations run on the completer and must
 * do no more than hand answers on.
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

  private record Lease(Runnable answer, Consumer<Refusal> refused) implements Pending {
    @Override
    public void keep() {
      answer.run();
    }

    @Override
    public void refuse(Refusal refusal) {
      refused.accept(refusal);
    }
  }

  private final Executor completer;
  private final LeaseGuard guard;
  private final Runnable question;
  private List<Runnable> immediate = new ArrayList<>();
  private final List<Pending> leases = new ArrayList<>();
  private final List<Pending> promised = new ArrayList<>();
  private final List<Pending> remembered = new ArrayList<>();

  /**
   * @param completer must accept every task, and may run them in any order
   * @param question asks the broker whether it still has the session, between two transactions
   */
  Replies(Executor completer, LeaseGuard guard, Runnable question) {
    this.completer = completer;
    this.guard = guard;
    this.question = question;
  }

  /** Adds an answer that does not wait for the commit. */
  public void replyNow(Runnable answer) {
    immediate.add(answer);
  }

  /** Adds an answer with leases, which waits for no commit if the session is known to live. */
  public void lease(Runnable answer, Consumer<Refusal> refused) {
    leases.add(new Lease(answer, refused));
  }

  /** Promises an outcome: the answer waits for the commit. */
  public void send(CompletableFuture<SendOutcome> future, SendOutcome outcome) {
    boolean isRemembered = outcome instanceof SendOutcome.Accepted sent && sent.duplicate();
    (isRemembered ? remembered : promised).add(new Promise<>(future, outcome, refusal -> refusal));
  }

  /** Promises that a lease goes on. */
  public void extend(CompletableFuture<SettleOutcome> future, SettleOutcome outcome) {
    remembered.add(new Promise<>(future, outcome, refusal -> refusal));
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

  /** As above, with the leases, unless the broker has to be asked first. */
  public void flushBeforeCommit() {
    flushImmediate();
    if (!leases.isEmpty() && guard.isFresh()) {
      complete(leases, Pending::keep);
    }
  }

  /** Must be called between two transactions. */
  @Override
  public void onCommit() {
    flushImmediate();
    complete(promised, Pending::keep);
    if (!leases.isEmpty() || !remembered.isEmpty()) {
      guard.require(question);
      complete(leases, Pending::keep);
      complete(remembered, Pending::keep);
    }
  }

  /** Refuses everything that was promised. */
  @Override
  public void onSessionLost() {
    flushImmediate();
    Refusal refusal = Refusals.brokerAway();
    for (List<Pending> answers : List.of(leases, promised, remembered)) {
      complete(answers, answer -> answer.refuse(refusal));
    }
  }

  /** Completes the answers of a list, and empties it. */
  private void complete(List<Pending> answers, Consumer<Pending> how) {
    if (!answers.isEmpty()) {
      List<Pending> taken = List.copyOf(answers);
      answers.clear();
      completer.execute(() -> taken.forEach(how));
    }
  }
}
