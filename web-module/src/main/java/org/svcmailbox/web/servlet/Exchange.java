package org.svcmailbox.web.servlet;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.problem.Call;
import org.svcmailbox.web.problem.ProblemAnswer;
import org.svcmailbox.web.trace.RequestSpan;

/**
 * One request and its answer. The request's own thread answers a completed outcome; any other
 * outcome suspends the request.
 *
 * <p>The thread that completes an outcome belongs to the service and must not wait for a slow
 * client. It only registers an {@link AnswerWriter}; the server writes on its own thread. An answer
 * that needs a confirmed write uses a server thread that may block.
 */
public final class Exchange {
  /**
   * The context attribute with the server's {@link Executor}. Where it is set, {@link
   * AsyncContext#start} runs tasks on the calling thread.
   */
  static final String THREADS = "org.svcmailbox.threads";

  private static final Logger LOG = System.getLogger(Exchange.class.getName());

  private final HttpServletRequest http;
  private final HttpServletResponse response;
  private final Call call;
  private final RequestSpan span;
  private final Duration timeout;
  private final AtomicBoolean answered = new AtomicBoolean();
  private @Nullable AsyncContext context;

  Exchange(
      HttpServletRequest http,
      HttpServletResponse response,
      Call call,
      RequestSpan span,
      Duration timeout) {
    this.http = http;
    this.response = response;
    this.call = call;
    this.span = span;
    this.timeout = timeout;
  }

  /** Runs an endpoint; its exception becomes the answer. */
  void serve(Consumer<Exchange> endpoint) throws IOException {
    try {
      endpoint.accept(this);
    } catch (RuntimeException e) {
      write(ProblemAnswer.thrown(e, call));
    }
  }

  /** The request; on its own thread. */
  public HttpServletRequest http() {
    return http;
  }

  /** The headers by name; on the request's own thread. */
  public Map<String, List<String>> headers() {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (String name : Collections.list(http.getHeaderNames())) {
      headers.put(name, Collections.list(http.getHeaders(name)));
    }
    return headers;
  }

  public Call call() {
    return call;
  }

  /** The request's span. */
  public RequestSpan span() {
    return span;
  }

  /** The trace context of messages that this request sends; null when there is none. */
  public @Nullable TraceContext trace() {
    return span.contextOf(http);
  }

  /** Answers when the outcome completes. */
  public <T> void answer(CompletionStage<T> outcome, Function<? super T, Answer> toAnswer) {
    begin(new PendingAnswer<>(outcome.toCompletableFuture(), toAnswer, () -> {}, false));
  }

  /**
   * Answers when the outcome completes, on a thread that may wait for the client.
   *
   * @param onDiscard runs when the outcome completes after the answer, for example after a timeout
   */
  public <T> void answerBlocking(
      CompletionStage<T> outcome, Function<? super T, Answer> toAnswer, Runnable onDiscard) {
    begin(new PendingAnswer<>(outcome.toCompletableFuture(), toAnswer, onDiscard, true));
  }

  /** Ends a call whose client has disconnected. Any thread. */
  public void drop() {
    if (answered.compareAndSet(false, true)) {
      onServerThread(() -> complete(Answer.nothing()));
    }
  }

  /**
   * An outcome and how to answer it.
   *
   * @param onDiscard for an outcome after the answer
   * @param mayBlock whether the write may wait for the client
   */
  private record PendingAnswer<T>(
      CompletableFuture<T> outcome,
      Function<? super T, Answer> toAnswer,
      Runnable onDiscard,
      boolean mayBlock) {}

  private <T> void begin(PendingAnswer<T> pending) {
    if (pending.outcome().isDone()) {
      answered.set(true);
      writeOrGiveUp(answer(pending));
      return;
    }
    suspend();
    Runnable answer = () -> answerNow(pending);
    Runnable begin = pending.mayBlock() ? () -> onServerThread(answer) : answer;
    CompletableFuture<T> unused = pending.outcome().whenComplete((value, failure) -> begin.run());
  }

  private void suspend() {
    AsyncContext suspended = http.startAsync();
    suspended.setTimeout(timeout.toMillis());
    suspended.addListener(new TimeoutListener(this::timedOut));
    context = suspended;
  }

  /** Provides the exception for the answer that the server's error page writes. */
  private void timedOut() {
    if (answered.compareAndSet(false, true)) {
      http.setAttribute(
          RequestDispatcher.ERROR_EXCEPTION,
          new UnavailableException("The outcome is unknown: the request timed out"));
      span.end(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    }
  }

  private <T> void answerNow(PendingAnswer<T> pending) {
    if (!answered.compareAndSet(false, true)) {
      pending.onDiscard().run();
    } else if (pending.mayBlock()) {
      complete(answer(pending));
    } else {
      send(pending);
    }
  }

  private <T> void send(PendingAnswer<T> pending) {
    try {
      ServletOutputStream output = response.getOutputStream();
      Runnable end = requireNonNull(context)::complete;
      output.setWriteListener(new AnswerWriter(output, () -> write(answer(pending)), end));
    } catch (IOException | RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "No output for an answer: {0}", e.toString());
    }
  }

  private <T> Answer answer(PendingAnswer<T> pending) {
    try {
      return pending.toAnswer().apply(pending.outcome().join());
    } catch (RuntimeException e) {
      return ProblemAnswer.thrown(e, call);
    }
  }

  private void complete(Answer answer) {
    try {
      writeOrGiveUp(answer);
    } finally {
      requireNonNull(context).complete();
    }
  }

  private void writeOrGiveUp(Answer answer) {
    try {
      write(answer);
    } catch (IOException e) {
      // The client is gone, which is not a failure of the service.
      LOG.log(Level.DEBUG, "Could not write an answer: {0}", e.toString());
    }
  }

  private void write(Answer answer) throws IOException {
    span.end(answer.status());
    answer.writeTo(response);
  }

  private void onServerThread(Runnable task) {
    if (http.getServletContext().getAttribute(THREADS) instanceof Executor threads) {
      try {
        threads.execute(() -> start(task));
        return;
      } catch (RejectedExecutionException e) {
        LOG.log(Level.DEBUG, "No thread for an answer: {0}", e.toString());
      }
    }
    start(task);
  }

  private void start(Runnable task) {
    try {
      requireNonNull(context).start(task);
    } catch (RejectedExecutionException e) {
      // The server is stopping and accepts no tasks.
      task.run();
    }
  }
}
