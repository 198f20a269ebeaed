package org.svcmailbox.web.delivery;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.web.problem.Call;

/**
 * The answering side of one call that is under way. The answer is written on one of the server's
 * own threads: the thread that brings the outcome belongs to the service, and must not wait for a
 * client that reads slowly.
 */
final class Reply {
  /** After this the caller is told that the outcome is unknown, whatever keeps it. */
  private static final Duration PATIENCE = RecvRequest.MAX_WAIT.multipliedBy(2);

  private final AsyncResponse response;
  private final AsyncContext context;
  private final Call call;

  private Reply(AsyncResponse response, AsyncContext context, Call call) {
    this.response = response;
    this.context = context;
    this.call = call;
  }

  /** The reply to a request that JAX-RS has suspended. Called on the request's thread. */
  static Reply to(HttpServletRequest http, AsyncResponse response) {
    AsyncContext context = http.getAsyncContext();
    context.setTimeout(PATIENCE.toMillis());
    return new Reply(response, context, Call.of(http));
  }

  /** Which call this replies to. */
  Call call() {
    return call;
  }

  /** Answers when there is an outcome. */
  <T> void when(CompletionStage<T> outcome, Function<? super T, Response> answer) {
    when(outcome, answer, () -> {});
  }

  /**
   * Answers when there is an outcome.
   *
   * @param unanswered called when the outcome comes after the call was answered otherwise
   */
  <T> void when(
      CompletionStage<T> outcome, Function<? super T, Response> answer, Runnable unanswered) {
    Thread requestThread = Thread.currentThread();
    outcome.whenComplete(
        (value, failure) -> {
          Runnable finish = () -> finish(value, failure, answer, unanswered);
          if (Thread.currentThread() == requestThread) {
            finish.run();
          } else {
            onServerThread(finish);
          }
        });
  }

  /** Ends a call whose client is gone; nobody reads the answer. */
  void drop() {
    onServerThread(() -> response.resume(Response.noContent().build()));
  }

  private <T> void finish(
      @Nullable T value,
      @Nullable Throwable failure,
      Function<? super T, Response> answer,
      Runnable unanswered) {
    boolean isAnswered =
        value != null ? answer(value, answer) : response.resume(requireNonNull(failure));
    if (!isAnswered) {
      unanswered.run();
    }
  }

  private <T> boolean answer(T value, Function<? super T, Response> answer) {
    Response built;
    try {
      built = answer.apply(value);
    } catch (RuntimeException e) {
      return response.resume(e);
    }
    return response.resume(built);
  }

  private void onServerThread(Runnable task) {
    try {
      context.start(task);
    } catch (RejectedExecutionException e) {
      // The server is going away and has no threads left to give.
      task.run();
    }
  }
}
