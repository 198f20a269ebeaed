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
 * One request that is being served, and the answer to it. An outcome that is there already is
 * answered on the request's own thread; for any other the request is suspended.
 *
 * <p>The thread that brings an outcome belongs to the service and must not wait for a client that
 * reads slowly. It tells the server that there is something to write, and the server says when and
 * on which of its threads ({@link AnswerWriter}); nobody waits. An answer that has to be seen on
 * its way is written on a thread of the server's that may wait.
 */
public final class Exchange {
  /**
   * The attribute of the servlet context where a server leaves its threads; its value is an {@link
   * Executor}. Where it is, what is started with {@link AsyncContext#start} runs in place.
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

  /** Has a door serve the request; what it throws is the answer. */
  void serve(Consumer<Exchange> door) throws IOException {
    try {
      door.accept(this);
    } catch (RuntimeException e) {
      write(ProblemAnswer.thrown(e, call));
    }
  }

  /** The request; on its own thread. */
  public HttpServletRequest http() {
    return http;
  }

  /** The headers that doors have a use for, by name; on the request's own thread. */
  public Map<String, List<String>> headers() {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (String name : Collections.list(http.getHeaderNames())) {
      headers.put(name, Collections.list(http.getHeaders(name)));
    }
    return headers;
  }

  /** Which call this is. */
  public Call call() {
    return call;
  }

  /** Its place in a trace. */
  public RequestSpan span() {
    return span;
  }

  /** Where the messages stand that it sends; null when nothing is known of that. */
  public @Nullable TraceContext trace() {
    return span.contextOf(http);
  }

  /** Answers when there is an outcome. */
  public <T> void answer(CompletionStage<T> outcome, Function<? super T, Answer> toAnswer) {
    begin(new PendingAnswer<>(outcome.toCompletableFuture(), toAnswer, () -> {}, false));
  }

  /**
   * Answers when there is an outcome, on a thread that may wait for the client.
   *
   * @param onDiscard called when the outcome comes after the call was answered otherwise
   */
  public <T> void answerBlocking(
      CompletionStage<T> outcome, Function<? super T, Answer> toAnswer, Runnable onDiscard) {
    begin(new PendingAnswer<>(outcome.toCompletableFuture(), toAnswer, onDiscard, true));
  }

  /** Ends a call whose client is gone; nobody reads the answer. Any thread. */
  public void drop() {
    if (answered.compareAndSet(false, true)) {
      onServerThread(() -> complete(Answer.nothing()));
    }
  }

  /**
   * An outcome and what becomes of it.
   *
   * @param onDiscard for one that comes too late
   * @param mayBlock whether its answer may wait for the client
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

  /** The server answers by itself; here it is told what. */
  private void timedOut() {
    if (answered.compareAndSet(false, true)) {
      http.setAttribute(
          RequestDispatcher.ERROR_EXCEPTION,
          new UnavailableException("There is no outcome yet, and it is not waited for any longer"));
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
      LOG.log(Level.DEBUG, "An answer has no way to its client: {0}", e.toString());
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
      // There is nobody left to be told, and nothing went wrong here.
      LOG.log(Level.DEBUG, "An answer could not be written: {0}", e.toString());
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
      // The server is going away and has no threads left to give.
      task.run();
    }
  }
}
