package org.svcmailbox.grpc.call;

import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.refusal.ProblemReports;
import org.svcmailbox.grpc.refusal.Refusals;
import org.svcmailbox.grpc.refusal.RefusedException;
import org.svcmailbox.proto.v1.RecvResponse;

/** Answers unary calls when their outcomes complete. No thread waits for an outcome. */
final class UnaryCalls {
  private final Refusals refusals;
  private final Executor threads;
  private final CapacityLimit answers;
  private final Duration timeout;

  /**
   * @param threads write answers, except the smallest
   * @param answers the limit of RECV answers' bytes that clients have not yet taken
   * @param timeout the time after which a client is told that the outcome is unknown
   */
  UnaryCalls(Refusals refusals, Executor threads, CapacityLimit answers, Duration timeout) {
    this.refusals = refusals;
    this.threads = threads;
    this.answers = answers;
    this.timeout = timeout;
  }

  /** Time until the call's deadline; empty without one. */
  static Optional<Duration> remaining() {
    Deadline deadline = Context.current().getDeadline();
    return Optional.ofNullable(deadline)
        .map(set -> Duration.ofNanos(set.timeRemaining(TimeUnit.NANOSECONDS)));
  }

  /**
   * Begins a call, and answers it when it is done.
   *
   * @param begin checks the request and begins; an exception becomes the answer
   * @param toAnswer converts the outcome, on a thread that may log
   */
  <O, A> void answer(
      StreamObserver<A> client,
      Function<CallInfo, CompletionStage<O>> begin,
      BiFunction<O, CallInfo, A> toAnswer) {
    answer(client, begin, toAnswer, failure -> threads);
  }

  /**
   * As {@link #answer(StreamObserver, Function, BiFunction)}, for an answer that is so small that
   * the thread that completes it writes it. A failure is left to a thread that may log.
   */
  <A> void answerAtOnce(StreamObserver<A> client, Function<CallInfo, CompletionStage<A>> begin) {
    answer(
        client,
        begin,
        (answer, info) -> answer,
        failure -> failure == null ? Runnable::run : threads);
  }

  private <O, A> void answer(
      StreamObserver<A> client,
      Function<CallInfo, CompletionStage<O>> begin,
      BiFunction<O, CallInfo, A> toAnswer,
      Function<@Nullable Throwable, Executor> writers) {
    CallInfo info = CallInfo.current();
    ServerCallStreamObserver<A> observer = (ServerCallStreamObserver<A>) client;
    // Without a handler, answering after a cancellation would throw.
    observer.setOnCancelHandler(() -> {});
    CompletableFuture<O> outcome = begun(observer, info, begin);
    if (outcome == null) {
      return;
    }
    if (outcome.isDone()) {
      write(observer, info, () -> toAnswer.apply(outcome.join(), info));
    } else {
      CompletableFuture<O> limited = limited(outcome);
      CompletableFuture<?> unused =
          limited.whenComplete(
              (value, failure) ->
                  writers
                      .apply(failure)
                      .execute(
                          () -> write(observer, info, () -> toAnswer.apply(limited.join(), info))));
    }
  }

  /** The outcome of a begun call; null if the call was refused. */
  private <A, T> @Nullable CompletableFuture<T> begun(
      ServerCallStreamObserver<A> observer,
      CallInfo info,
      Function<CallInfo, CompletionStage<T>> begin) {
    if (remaining().filter(left -> left.isNegative() || left.isZero()).isPresent()) {
      observer.onError(expired());
      return null;
    }
    try {
      return begin.apply(info).toCompletableFuture();
    } catch (RuntimeException e) {
      observer.onError(refusals.call(e, info));
      return null;
    }
  }

  private static StatusException expired() {
    return Status.DEADLINE_EXCEEDED
        .withDescription("The deadline was over before the call began")
        .asException();
  }

  private <O> CompletableFuture<O> limited(CompletableFuture<O> outcome) {
    return outcome.copy().orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  private <A> void write(
      ServerCallStreamObserver<A> observer, CallInfo info, Supplier<A> toAnswer) {
    try {
      observer.onNext(toAnswer.get());
      observer.onCompleted();
    } catch (RuntimeException e) {
      observer.onError(refusals.call(known(e), info));
    }
  }

  private static Throwable known(RuntimeException failure) {
    return failure.getCause() instanceof TimeoutException
        ? new UnavailableException("The outcome is unknown: the call timed out")
        : failure;
  }

  /**
   * Begins a RECV, and answers it when it is done. If the client does not get the answer, its
   * messages are given back.
   *
   * @param begin checks the request and begins; an exception becomes the answer
   * @param toAnswer converts the outcome
   */
  void answerLeased(
      StreamObserver<RecvResponse> client,
      Function<CallInfo, PendingRecv> begin,
      Function<RecvOutcome, RecvResponse> toAnswer) {
    CallInfo info = CallInfo.current();
    ServerCallStreamObserver<RecvResponse> observer =
        (ServerCallStreamObserver<RecvResponse>) client;
    CompletableFuture<PendingRecv> begun =
        begun(observer, info, call -> CompletableFuture.completedFuture(begin.apply(call)));
    if (begun == null) {
      return;
    }
    PendingRecv pending = begun.join();
    LeasedAnswer answer = new LeasedAnswer(observer, pending);
    observer.setOnCancelHandler(answer::lost);
    observer.setOnCloseHandler(answer::taken);
    CompletableFuture<RecvOutcome> outcome = limited(pending.outcome().toCompletableFuture());
    CompletableFuture<?> unused =
        outcome.whenCompleteAsync(
            (value, failure) ->
                write(observer, info, () -> answer.counted(toAnswer.apply(outcome.join()))),
            threads);
  }

  /** Leased messages that are being sent to a client. */
  private final class LeasedAnswer {
    private final ServerCallStreamObserver<RecvResponse> observer;
    private final PendingRecv pending;
    private long bytes;

    LeasedAnswer(ServerCallStreamObserver<RecvResponse> observer, PendingRecv pending) {
      this.observer = observer;
      this.pending = pending;
    }

    /** Counts an answer that is about to be written; gives its messages back if it will not be. */
    synchronized RecvResponse counted(RecvResponse answer) {
      int size = answer.getSerializedSize();
      if (observer.isCancelled()) {
        pending.abandon();
      } else if (answers.tryAdd(size)) {
        bytes = size;
      } else {
        pending.abandon();
        throw new RefusedException(ProblemReports.refused(answers.refusal()));
      }
      return answer;
    }

    /** Called when the client is gone or its deadline has passed. */
    void lost() {
      pending.abandon();
      taken();
    }

    synchronized void taken() {
      answers.remove(bytes);
      bytes = 0;
    }
  }
}
