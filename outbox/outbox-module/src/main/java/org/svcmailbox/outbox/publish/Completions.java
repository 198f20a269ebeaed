package org.svcmailbox.outbox.publish;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.svcmailbox.client.MailboxClock;

/** Brings answers from the threads that complete them to the one that waits for them. */
final class Completions {
  private final MailboxClock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Deque<Runnable> answers = new ArrayDeque<>();

  Completions(MailboxClock clock) {
    this.clock = clock;
  }

  /** Has an answer handled by the thread that calls {@link #next}. */
  <A> void watch(CompletionStage<A> stage, BiConsumer<? super A, ? super Throwable> handler) {
    stage.whenComplete((answer, failure) -> add(() -> handler.accept(answer, failure)));
  }

  private void add(Runnable answer) {
    lock.lock();
    try {
      answers.add(answer);
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the next answer; empty if none came in time. */
  Optional<Runnable> next(long deadline) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (answers.isEmpty() && !clock.isPast(deadline)) {
        clock.await(lock, arrived, deadline);
      }
      return Optional.ofNullable(answers.poll());
    } finally {
      lock.unlock();
    }
  }
}
