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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.trace.CallSpan;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.problem.Call;
import org.svcmailbox.web.problem.ProblemAnswer;
import org.svcmailbox.web.trace.Spans;

/**
 * One request and its answer. The request's own thread answers a completed outcome; any other
 * outcome suspends the request.
 *
 * <p>The thread that completes an outcome belongs to the service and must not wait for a slow
 * client. It only registers an {@link AnswerWriter}; the server writes on its own thread. An answer
 * with leased messages is encoded on a request thread, and written in the same way.
 */
public final class Exchange {
  /**
   * The context attribute with the server's {@link Executor}. Where it is set, {@link
   * AsyncContext#start} runs a task on the thread that calls it.
   */
  static final String THREADS = "org.svcmailbox.threads";

  /**
   * The longest time for writing the largest RECV answer in JSON to a client at the minimum rate.
   * The server counts it together with the wait for the outcome.
   */
  private static final Duration LEASED_WRITE = Duration.ofMinutes(4);

  private static final String STATUS = "http.response.status_code";

  /** Bytes; less than any line of a stream. */
  private static final int STREAM_BUFFER = 16;

  private static final Logger LOG = System.getLogger(Exchange.class.getName());

  private final HttpServletRequest http;
  private final HttpServletResponse response;
  private final Call call;
  private final CallSpan span;
  private final EndpointContext service;
  private final AtomicBoolean answered = new AtomicBoolean();
  private @Nullable AsyncContext context;
  private volatile @Nullable LeasedDelivery delivery;

  Exchange(
      HttpServletRequest http,
      HttpServletResponse response,
      Call call,
      CallSpan span,
      EndpointContext service) {
    this.http = http;
    this.response = response;
    this.call = call;
    this.span = span;
    this.service = service;
  }

  /** Runs an endpoint; its exception becomes the answer. */
  void serve(Consumer<Exchange> endpoint) throws IOException {
    try {
      endpoint.accept(this);
    } catch (RuntimeException e) {
      write(ProblemAnswer.thrown(e, call));
    }
  }

  /** The request; only for its own thread. */
  public HttpServletRequest http() {
    return http;
  }

  /** The headers by name; only on the request's own thread. */
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

  public CallSpan span() {
    return span;
  }

  /**
   * The trace context for messages that this request sends: its span's, else the one in the
   * client's headers, else null. Only on the request's own thread.
   */
  public @Nullable TraceContext trace() {
    TraceContext here = span.context();
    return here != null ? here : Spans.sender(http);
  }

  /** Answers when the outcome completes. */
  public <T> void answer(CompletionStage<T> outcome, Function<? super T, Answer> toAnswer) {
    begin(new PendingAnswer<>(outcome.toCompletableFuture(), toAnswer, () -> {}, false));
  }

  /**
   * Answers with leased messages when the outcome completes.
   *
   * @param giveBack runs if the client does not get the answer, or if the outcome completes after
   *     another answer, such as a timeout
   */
  public <T> void answerLeased(
      CompletionStage<T> outcome, Function<? super T, Answer> toAnswer, Runnable giveBack) {
    begin(new PendingAnswer<>(outcome.toCompletableFuture(), toAnswer, giveBack, true));
  }

  /**
   * Begins an answer that is streamed until its writer ends it. Only on the request's own thread.
   *
   * @param head status and headers
   * @param gone runs when the client, the server or the writer has ended it
   */
  public StreamedAnswer stream(Answer head, Runnable gone) throws IOException {
    // Small, so that every write reaches the client: a flush may leave buffered bytes in the
    // server.
    response.setBufferSize(STREAM_BUFFER);
    head.begin(response);
    ServletOutputStream output = response.getOutputStream();
    SentReport.request(http, isSent -> gone.run());
    Peer.of(http).whenGone(gone);
    answered.set(true);
    // The writer has a deadline of its own.
    AsyncContext suspended = suspend(Duration.ZERO, new EndListener(gone, gone));
    endSpan(head.status());
    return new SuspendedAnswer(http, suspended, output, this::onServerThread);
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
   * @param giveBack runs if the client does not get the outcome
   * @param isLeased whether the outcome has leased messages, so that a failed write matters
   */
  private record PendingAnswer<T>(
      CompletableFuture<T> outcome,
      Function<? super T, Answer> toAnswer,
      Runnable giveBack,
      boolean isLeased) {}

  private <T> void begin(PendingAnswer<T> pending) {
    if (pending.isLeased()) {
      beginLeased(pending);
    } else if (pending.outcome().isDone()) {
      answered.set(true);
      writeOrGiveUp(answer(pending));
    } else {
      suspend(service.timeout());
      onOutcome(pending, () -> answerNow(pending, () -> send(() -> answer(pending))));
    }
  }

  private <T> void beginLeased(PendingAnswer<T> pending) {
    suspend(service.timeout().plus(LEASED_WRITE));
    onOutcome(pending, () -> onServerThread(() -> answerNow(pending, () -> deliver(pending))));
    limit(pending.outcome());
  }

  private static void onOutcome(PendingAnswer<?> pending, Runnable task) {
    CompletableFuture<?> unused = pending.outcome().whenComplete((value, failure) -> task.run());
  }

  private void answerNow(PendingAnswer<?> pending, Runnable write) {
    if (answered.compareAndSet(false, true)) {
      write.run();
    } else {
      pending.giveBack().run();
    }
  }

  /**
   * Limits the wait for the outcome. The server's own timeout is longer, because it includes
   * writing the answer.
   */
  private void limit(CompletableFuture<?> outcome) {
    CompletableFuture<?> unused =
        outcome
            .copy()
            .orTimeout(service.timeout().toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete(
                (value, failure) -> {
                  if (failure instanceof TimeoutException) {
                    onServerThread(this::outcomeTimedOut);
                  }
                });
  }

  private void outcomeTimedOut() {
    if (answered.compareAndSet(false, true)) {
      send(() -> ProblemAnswer.thrown(unknownOutcome(), call));
    }
  }

  private static UnavailableException unknownOutcome() {
    return new UnavailableException("The outcome is unknown: the request timed out");
  }

  private void suspend(Duration timeout) {
    AsyncContext unused = suspend(timeout, new EndListener(this::timedOut, () -> {}));
  }

  /** A zero timeout means none. */
  private AsyncContext suspend(Duration timeout, EndListener listener) {
    AsyncContext suspended = http.startAsync();
    suspended.setTimeout(timeout.toMillis());
    suspended.addListener(listener);
    context = suspended;
    return suspended;
  }

  /** Sets the exception for the answer of the server's error page. */
  private void timedOut() {
    if (answered.compareAndSet(false, true)) {
      http.setAttribute(RequestDispatcher.ERROR_EXCEPTION, unknownOutcome());
      endSpan(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      return;
    }
    LeasedDelivery unsent = delivery;
    if (unsent != null) {
      unsent.ended();
    }
  }

  private void send(Supplier<Answer> answer) {
    try {
      ServletOutputStream output = response.getOutputStream();
      AsyncContext suspended = requireNonNull(context);
      List<AnswerWriter.Step> steps = List.of(() -> write(answer.get()));
      output.setWriteListener(new AnswerWriter(output, steps, isWritten -> suspended.complete()));
    } catch (IOException | RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "No output for an answer: {0}", e.toString());
    }
  }

  private <T> void deliver(PendingAnswer<T> pending) {
    Answer answer = answer(pending);
    try {
      LeasedDelivery begun =
          new LeasedDelivery(answer, service.leased(), new LeasedCall(pending.giveBack()));
      delivery = begun;
      endSpan(answer.status());
      begun.write(http, response);
    } catch (SaturatedException e) {
      pending.giveBack().run();
      send(() -> ProblemAnswer.thrown(e, call));
    }
  }

  private final class LeasedCall implements LeasedDelivery.Call {
    private final Runnable giveBack;

    LeasedCall(Runnable giveBack) {
      this.giveBack = giveBack;
    }

    @Override
    public void giveBack() {
      giveBack.run();
    }

    @Override
    public void complete() {
      requireNonNull(context).complete();
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
      // The client is gone, which is no failure of the service.
      LOG.log(Level.DEBUG, "Could not write an answer: {0}", e.toString());
    }
  }

  private void write(Answer answer) throws IOException {
    endSpan(answer.status());
    answer.writeTo(response);
  }

  private void endSpan(int status) {
    span.end(STATUS, status, status >= HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
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
