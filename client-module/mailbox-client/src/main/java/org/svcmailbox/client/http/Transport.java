package org.svcmailbox.client.http;

import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.MailboxClock;

/**
 * Makes one request at a time for each thread: waits for room among the connections, presents a
 * token, and waits for the whole response. Repeats a request once, if it was answered {@code 401}
 * and there is another token.
 */
final class Transport {
  private static final int UNAUTHORIZED = 401;

  /** The part of the call timeout that an interrupted call still waits. */
  private static final int LATE_PART = 10;

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
      String method, String path, @Nullable BodyPublisher body, boolean endsWithMailbox) {
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
   * @param deadline by when it must be answered, if the call timeout is not over before
   */
  Reply call(String method, String path, byte @Nullable [] body, long deadline)
      throws InterruptedException {
    long end = earlier(deadline, clock.deadline(callTimeout));
    if (!connections.acquire(false, clock, end, lifecycle::isStopped)) {
      return Failure.notDone("no connection was free in time for " + target(path), null);
    }
    try {
      return authorized(
          new Unsigned(method, path, body == null ? null : BodyPublishers.ofByteArray(body), false),
          end);
    } finally {
      connections.release(false);
    }
  }

  /** Makes a call that waits for no room. As many are out as there are batches of leases. */
  Reply heartbeat(String path, byte[] body, long deadline) throws InterruptedException {
    return authorized(
        new Unsigned("POST", path, BodyPublishers.ofByteArray(body), true),
        earlier(deadline, clock.deadline(callTimeout)));
  }

  /**
   * Makes a call that the service may answer only after a while.
   *
   * @param body made when there is room for the request
   * @param waitEnd by when there must be room
   * @return null if there was none in time
   */
  @Nullable Reply poll(String path, Supplier<byte[]> body, long waitEnd)
      throws InterruptedException {
    if (!connections.acquire(true, clock, waitEnd, () -> !lifecycle.isOpen())) {
      return null;
    }
    try {
      // The service's own wait ends at waitEnd, at the latest.
      long end = clock.deadline(callTimeout) + Math.max(0, waitEnd - clock.nanoTime());
      return authorized(
          new Unsigned("POST", path, BodyPublishers.ofByteArray(body.get()), true), end);
    } finally {
      connections.release(true);
    }
  }

  private Reply authorized(Unsigned request, long end) throws InterruptedException {
    try {
      String token = tokens.token();
      Reply reply = exchange(request, token, end);
      if (reply instanceof Answer answer && answer.status() == UNAUTHORIZED) {
        String other = tokens.refreshed(token);
        return other.equals(token) ? reply : exchange(request, other, end);
      }
      return reply;
    } catch (AccessDeniedException e) {
      return Failure.refused(e);
    }
  }

  private Reply exchange(Unsigned request, String token, long end) throws InterruptedException {
    long begun = System.nanoTime();
    Future<HttpResponse<byte[]>> response = connections.send(signed(request, token));
    Lifecycle.Request registered = new Lifecycle.Request(response, request.endsWithMailbox());
    if (!lifecycle.register(registered)) {
      response.cancel(true);
      return Failure.unknown("the mailbox closed during " + named(request), null);
    }
    try {
      // Not the client's own timeout, which ends with the headers and not with the body.
      long nanos = Math.max(1, end - clock.nanoTime());
      return Answer.of(response.get(nanos, TimeUnit.NANOSECONDS), token);
    } catch (ExecutionException e) {
      return Failure.lost(named(request), e.getCause() != null ? e.getCause() : e);
    } catch (TimeoutException e) {
      response.cancel(true);
      connections.suspect(Duration.ofNanos(System.nanoTime() - begun));
      return Failure.unknown("no answer in time to " + named(request), null);
    } catch (CancellationException e) {
      return Failure.unknown("the mailbox closed during " + named(request), null);
    } catch (InterruptedException e) {
      return lateAnswer(response, token, e);
    } finally {
      lifecycle.deregister(registered);
    }
  }

  /**
   * Waits a little for an answer after an interrupt. It may hold messages, which would otherwise be
   * hidden until their leases end.
   */
  private Answer lateAnswer(
      Future<HttpResponse<byte[]>> response, String token, InterruptedException e)
      throws InterruptedException {
    try {
      long nanos = callTimeout.dividedBy(LATE_PART).toNanos();
      HttpResponse<byte[]> late = response.get(nanos, TimeUnit.NANOSECONDS);
      Thread.currentThread().interrupt();
      return Answer.of(late, token);
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
            .header("Accept", "application/json")
            .header("Authorization", "Bearer " + token);
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
