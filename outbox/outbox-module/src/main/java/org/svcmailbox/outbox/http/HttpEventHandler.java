package org.svcmailbox.outbox.http;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.client.spi.MailboxThreads;
import org.svcmailbox.outbox.event.TraceContext;
import org.svcmailbox.outbox.inbox.EventHandler;
import org.svcmailbox.outbox.inbox.HandlerPayload;
import org.svcmailbox.outbox.inbox.HandlerResult;
import org.svcmailbox.outbox.inbox.HandlerResult.AlreadyProcessed;
import org.svcmailbox.outbox.inbox.HandlerResult.Poison;
import org.svcmailbox.outbox.inbox.HandlerResult.Processed;
import org.svcmailbox.outbox.inbox.HandlerResult.Retry;

/**
 * Posts each event to a handler, with the headers of its trace. Status 200 means processed, 409
 * processed before, and 422 poison. After any other status, a redirect, a failed connection or a
 * timeout, the event is delivered again. Reads at most 64 KiB of the answer's body, as the reason.
 * Thread-safe.
 */
public final class HttpEventHandler implements EventHandler {
  private static final int MAX_BODY = 64 << 10;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** A handler that asks for more is asked sooner. */
  private static final long MAX_DELAY_SECONDS = 3_600;

  private final URI uri;
  private final Duration timeout;
  private final @Nullable TokenSource secret;
  private final HttpClient client;

  /** {@code sendAsync} would complete in the common pool, which an application may block. */
  private final ExecutorService threads = MailboxThreads.of("event-handler");

  /**
   * A handler; opens no connection yet.
   *
   * @param uri where it listens
   * @param timeout how long a whole answer may take
   */
  public HttpEventHandler(URI uri, Duration timeout) {
    this(uri, timeout, null);
  }

  /**
   * A handler that receives a secret as {@code Authorization: Bearer}.
   *
   * @param uri where it listens; with a secret {@code https}, or on this machine
   * @param timeout how long a whole answer may take
   * @param secret read before each call; null for none
   */
  public HttpEventHandler(URI uri, Duration timeout, @Nullable TokenSource secret) {
    this.uri = requireNonNull(uri, "uri");
    this.timeout = requireNonNull(timeout, "timeout");
    this.secret = secret;
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
  }

  @Override
  public HandlerResult handle(String eventType, HandlerPayload payload)
      throws InterruptedException {
    HttpRequest request = request(payload);
    AnswerStart start = new AnswerStart(MAX_BODY);
    Future<HttpResponse<String>> answer = threads.submit(() -> client.send(request, start));
    try {
      HttpResponse<String> unused = answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      return result(start);
    } catch (TimeoutException e) {
      return new Retry("the handler gave no answer within " + timeout, null);
    } catch (ExecutionException e) {
      return start.hasHead()
          ? result(start)
          : new Retry("the handler gave no answer: " + e.getCause(), null);
    } finally {
      answer.cancel(true);
    }
  }

  private HttpRequest request(HandlerPayload payload) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(payload.json()));
    if (secret != null) {
      request.header("Authorization", "Bearer " + secret.token());
    }
    @Nullable TraceContext trace = payload.trace();
    if (trace != null) {
      request.header("traceparent", trace.traceparent());
      Optional.ofNullable(trace.tracestate())
          .ifPresent(state -> request.header("tracestate", state));
    }
    return request.build();
  }

  /** The status decides, also where the body breaks off. */
  private static HandlerResult result(AnswerStart answer) {
    return switch (answer.status()) {
      case 200 -> new Processed();
      case 409 -> new AlreadyProcessed();
      case 422 -> new Poison(reason(answer));
      default -> new Retry(reason(answer), retryAfter(answer));
    };
  }

  private static String reason(AnswerStart answer) {
    String body = answer.soFar().strip();
    String hint = answer.status() / 100 == 2 ? ", which is no success; one is 200" : "";
    return "the handler answered " + answer.status() + hint + (body.isEmpty() ? "" : ": " + body);
  }

  /** Of the two forms of Retry-After, the date is not read. */
  private static @Nullable Duration retryAfter(AnswerStart answer) {
    Optional<String> header = answer.headers().firstValue("Retry-After");
    if (header.isEmpty() || !header.get().matches("[0-9]{1,9}")) {
      return null;
    }
    return Duration.ofSeconds(Math.min(Long.parseLong(header.get()), MAX_DELAY_SECONDS));
  }
}
