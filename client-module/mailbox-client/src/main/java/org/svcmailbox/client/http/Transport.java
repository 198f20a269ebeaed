package org.svcmailbox.client.http;

import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.service.Failure;
import org.svcmailbox.client.service.Lifecycle;

/**
 * Makes one request at a time for each thread: waits for room among the connections, presents a
 * token, and waits for the whole response. Repeats a request once, if it was answered {@code 401}
 * and there is another token.
 */
final class Transport {
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;

  /** The part of the call timeout that an interrupted call still waits. */
  private static final int LATE_PART = 10;

  /**
   * The part of that which a poll waits, counted from its beginning, and the least that it waits.
   */
  private static final int POLL_PART = 4;

  private static final int IDLE_PART = 20;

  private final String mailbox;
  private final URI base;
  private final TokenSource tokens;
  private final HttpConnections connections;
  private final Lifecycle lifecycle;
  private final MailboxClock clock;
  private final Duration callTimeout;
  private final Version version;

  /**
   * A way to a service.
   *
   * @param mailbox as failures name it; empty for none
   */
  Transport(
      String mailbox,
      URI base,
      TokenSource tokens,
      HttpConnections connections,
      Lifecycle lifecycle,
      MailboxClock clock,
      Duration callTimeout) {
    this.mailbox = mailbox;
    this.base = base;
    this.tokens = tokens;
    this.connections = connections;
    this.lifecycle = lifecycle;
    this.clock = clock;
    this.callTimeout = callTimeout;
    // Without TLS, HTTP/2 would begin with an upgrade of a POST, which not every proxy passes on.
    this.version = base.getScheme().equals("https") ? Version.HTTP_2 : Version.HTTP_1_1;
  }

  /** A request without its token. A null body is a GET. */
  private record Unsigned(
      String method,
      String path,
      @Nullable BodyPublisher body,
      Map<String, String> headers,
      boolean endsWithMailbox,
      @Nullable StreamBody lines) {
    Unsigned(String method, String path, @Nullable BodyPublisher body, boolean endsWithMailbox) {
      this(method, path, body, Map.of(), endsWithMailbox, null);
    }

    /** A problem is never a stream. */
    BodySubscriber<byte[]> body(ResponseInfo info) {
      return lines != null && info.statusCode() == OK ? lines : new BoundedBody(BoundedBody.MAX);
    }

    String accept() {
      return lines != null ? "application/x-ndjson, application/json" : "application/json";
    }

    String verb() {
      return body == null ? "GET" : method;
    }
  }

  /** A path with its service and mailbox, as failures name it. */
  String target(String path) {
    String url = base + path.replaceAll("\\?.*", "");
    return mailbox.isEmpty() ? url : url + " (" + mailbox + ")";
  }

  private String named(Unsigned request) {
    return request.verb() + " " + target(request.path());
  }

  /**
   * Makes a call.
   *
   * @param method how the body is sent
   * @param body JSON; null for a GET
   * @param headers more than those of every call
   * @param deadline by when it must be answered, if the call timeout is not over before
   */
  HttpOutcome call(
      String method,
      String path,
      byte @Nullable [] body,
      Map<String, String> headers,
      long deadline)
      throws InterruptedException {
    long end = earlier(deadline, clock.deadline(callTimeout));
    if (!connections.room().acquire(clock, end, lifecycle::isStopped)) {
      return new HttpOutcome.None(
          Failure.notDone("no connection was free in time for " + target(path), null));
    }
    try {
      return authorized(
          new Unsigned(
              method,
              path,
              body == null ? null : BodyPublishers.ofByteArray(body),
              headers,
              false,
              null),
          end);
    } finally {
      connections.room().release();
    }
  }

  /** Makes a call that waits for no room. As many are out as there are batches of leases. */
  HttpOutcome heartbeat(String path, byte[] body, long deadline) throws InterruptedException {
    return authorized(
        new Unsigned("POST", path, BodyPublishers.ofByteArray(body), true),
        earlier(deadline, clock.deadline(callTimeout)));
  }

  /** Makes a call, for which there is a place, that the service may answer only after a while. */
  HttpOutcome poll(String path, byte[] body, Duration wait) throws InterruptedException {
    return authorized(
        new Unsigned("POST", path, BodyPublishers.ofByteArray(body), true),
        clock.deadline(callTimeout.plus(wait)));
  }

  /**
   * Opens a stream, which waits for no room either: a mailbox has one at a time. Its answer is
   * there before its lines are. Closing the mailbox does not cancel it, because the stream may hold
   * messages.
   *
   * @param within how long the service may take to begin
   */
  HttpOutcome stream(String path, byte[] body, StreamBody lines, Duration within)
      throws InterruptedException {
    return authorized(
        new Unsigned("POST", path, BodyPublishers.ofByteArray(body), Map.of(), false, lines),
        clock.deadline(within));
  }

  private HttpOutcome authorized(Unsigned request, long end) throws InterruptedException {
    try {
      String token = tokens.token();
      HttpOutcome reply = exchange(request, token, end);
      if (reply instanceof HttpAnswer answer && answer.status() == UNAUTHORIZED) {
        String other = tokens.refreshed(token);
        return other.equals(token) ? reply : exchange(request, other, end);
      }
      return reply;
    } catch (AccessDeniedException e) {
      return new HttpOutcome.None(Failure.refused(e));
    }
  }

  private HttpOutcome exchange(Unsigned request, String token, long end)
      throws InterruptedException {
    long begun = System.nanoTime();
    Future<HttpResponse<byte[]>> response = connections.send(signed(request, token), request::body);
    Lifecycle.Request registered = new Lifecycle.Request(response, request.endsWithMailbox());
    if (!lifecycle.register(registered)) {
      response.cancel(true);
      return new HttpOutcome.None(
          Failure.unknown("the mailbox closed during " + named(request), null));
    }
    try {
      // Not the client's own timeout, which ends with the headers and not with the body.
      long nanos = Math.max(1, end - clock.nanoTime());
      return HttpAnswer.of(response.get(nanos, TimeUnit.NANOSECONDS), token);
    } catch (ExecutionException e) {
      return new HttpOutcome.None(
          Failure.lost(named(request), e.getCause() != null ? e.getCause() : e));
    } catch (TimeoutException e) {
      response.cancel(true);
      connections.suspect(Duration.ofNanos(System.nanoTime() - begun));
      return new HttpOutcome.None(Failure.unknown("no answer in time to " + named(request), null));
    } catch (CancellationException e) {
      return new HttpOutcome.None(
          Failure.unknown("the mailbox closed during " + named(request), null));
    } catch (InterruptedException e) {
      return lateAnswer(response, token, late(request, System.nanoTime() - begun), e);
    } finally {
      lifecycle.deregister(registered);
    }
  }

  /**
   * How many nanoseconds an interrupted call still waits. A poll that has been out for longer than
   * an answer takes is idle, and hangs up almost at once.
   */
  private long late(Unsigned request, long elapsed) {
    long longest = callTimeout.toNanos() / LATE_PART;
    return request.endsWithMailbox()
        ? Math.max(longest / POLL_PART - elapsed, longest / IDLE_PART)
        : longest;
  }

  /**
   * Waits a little for an answer after an interrupt. It may hold messages, which would otherwise be
   * hidden until their leases end.
   */
  private HttpAnswer lateAnswer(
      Future<HttpResponse<byte[]>> response, String token, long nanos, InterruptedException e)
      throws InterruptedException {
    try {
      HttpResponse<byte[]> late = response.get(nanos, TimeUnit.NANOSECONDS);
      Thread.currentThread().interrupt();
      return HttpAnswer.of(late, token);
    } catch (InterruptedException
        | ExecutionException
        | TimeoutException
        | CancellationException none) {
      response.cancel(true);
      throw e;
    }
  }

  private HttpRequest signed(Unsigned request, String token) {
    HttpRequest.Builder http =
        HttpRequest.newBuilder(URI.create(base + request.path()))
            .version(version)
            .header("Accept", request.accept())
            .header("Authorization", "Bearer " + token);
    request.headers().forEach(http::header);
    return request.body() == null
        ? http.build()
        : http.header("Content-Type", "application/json")
            .method(request.method(), request.body())
            .build();
  }

  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }
}
