package org.svcmailbox.client.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.client.service.Failure;
import org.svcmailbox.client.service.Lifecycle;

/**
 * Makes one unary call at a time per thread: waits for room, presents a token, and waits for the
 * answer. Repeats a call once if it is unauthenticated and there is another token.
 */
final class GrpcTransport {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final int UNAUTHENTICATED = 401;

  /** How much later than ours the deadline is that the service gets. */
  private static final Duration LATER = Duration.ofSeconds(1);

  private final String mailbox;
  private final TokenSource tokens;
  private final GrpcConnections connections;
  private final Lifecycle lifecycle;
  private final MailboxClock clock;
  private final Duration callTimeout;

  GrpcTransport(
      String mailbox,
      TokenSource tokens,
      GrpcConnections connections,
      Lifecycle lifecycle,
      MailboxClock clock,
      Duration callTimeout) {
    this.mailbox = mailbox;
    this.tokens = tokens;
    this.connections = connections;
    this.lifecycle = lifecycle;
    this.clock = clock;
    this.callTimeout = callTimeout;
  }

  /** A method with the service and the mailbox, for failures. */
  String target(MethodDescriptor<?, ?> method) {
    return "call "
        + method.getFullMethodName()
        + " of "
        + connections.service()
        + " ("
        + mailbox
        + ")";
  }

  TokenSource tokens() {
    return tokens;
  }

  /** The channel with a token, and further metadata, for each call. */
  Channel channel(String token, Metadata more) {
    Metadata metadata = new Metadata();
    metadata.merge(more);
    metadata.put(AUTHORIZATION, "Bearer " + token);
    return ClientInterceptors.intercept(
        connections.channel(), MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  /**
   * Makes a call.
   *
   * @param deadline when it must be answered, unless the call timeout ends first
   */
  <Q, A> GrpcOutcome<A> call(MethodDescriptor<Q, A> method, Q request, Metadata more, long deadline)
      throws InterruptedException {
    long end = earlier(deadline, clock.deadline(callTimeout));
    if (!connections.room().acquire(clock, end, lifecycle::isStopped)) {
      return none(Failure.notDone("no connection was free in time for " + target(method), null));
    }
    try {
      return authorized(new Call<>(method, request, more, false), end);
    } finally {
      connections.room().release();
    }
  }

  /** Makes a call that does not wait for room. There are at most as many as batches of leases. */
  <Q, A> GrpcOutcome<A> heartbeat(MethodDescriptor<Q, A> method, Q request, long deadline)
      throws InterruptedException {
    return authorized(
        new Call<>(method, request, new Metadata(), true),
        earlier(deadline, clock.deadline(callTimeout)));
  }

  /** Makes a call that already has room, and that the service may answer only after a while. */
  <Q, A> GrpcOutcome<A> poll(MethodDescriptor<Q, A> method, Q request, Duration wait)
      throws InterruptedException {
    return authorized(
        new Call<>(method, request, new Metadata(), true), clock.deadline(callTimeout.plus(wait)));
  }

  private record Call<Q, A>(
      MethodDescriptor<Q, A> method, Q request, Metadata more, boolean endsWithMailbox) {}

  private <Q, A> GrpcOutcome<A> authorized(Call<Q, A> call, long end) throws InterruptedException {
    try {
      String token = tokens.token();
      GrpcOutcome<A> reply = exchange(call, token, end);
      if (isUnauthenticated(reply)) {
        String other = tokens.refreshed(token);
        return other.equals(token) ? reply : exchange(call, other, end);
      }
      return reply;
    } catch (AccessDeniedException e) {
      return none(Failure.refused(e));
    }
  }

  static boolean isUnauthenticated(GrpcOutcome<?> reply) {
    return (reply instanceof GrpcOutcome.Refused<?> refused
            && refused.problem().status() == UNAUTHENTICATED)
        || (reply instanceof GrpcOutcome.None<?> none && none.status() == UNAUTHENTICATED);
  }

  private <Q, A> GrpcOutcome<A> exchange(Call<Q, A> call, String token, long end)
      throws InterruptedException {
    String target = target(call.method());
    long nanos = Math.max(1, end - clock.nanoTime());
    Future<A> answer =
        ClientCalls.futureUnaryCall(
            channel(token, call.more())
                .newCall(
                    call.method(),
                    CallOptions.DEFAULT.withDeadlineAfter(
                        nanos + LATER.toNanos(), TimeUnit.NANOSECONDS)),
            call.request());
    Lifecycle.Request registered = new Lifecycle.Request(answer, call.endsWithMailbox());
    if (!lifecycle.register(registered)) {
      answer.cancel(true);
      return closed(target);
    }
    try {
      return new GrpcOutcome.Answer<>(answer.get(nanos, TimeUnit.NANOSECONDS), token);
    } catch (ExecutionException e) {
      GrpcOutcome<A> reply =
          GrpcProblems.of(target, e.getCause() != null ? e.getCause() : e, token);
      if (reply instanceof GrpcOutcome.None) {
        connections.unanswered();
      }
      return reply;
    } catch (TimeoutException e) {
      answer.cancel(true);
      connections.suspect();
      return none(Failure.unknown("no answer in time to " + target, null));
    } catch (CancellationException e) {
      return closed(target);
    } catch (InterruptedException e) {
      return late(answer, token, e);
    } finally {
      lifecycle.deregister(registered);
    }
  }

  /** An interrupted call hangs up, unless its answer has arrived, which may have messages. */
  private static <A> GrpcOutcome<A> late(Future<A> answer, String token, InterruptedException e)
      throws InterruptedException {
    if (answer.cancel(true)) {
      throw e;
    }
    try {
      A late = answer.get();
      Thread.currentThread().interrupt();
      return new GrpcOutcome.Answer<>(late, token);
    } catch (ExecutionException | CancellationException none) {
      throw e;
    }
  }

  private static <A> GrpcOutcome<A> closed(String target) {
    return none(Failure.unknown("the mailbox closed during " + target, null));
  }

  private static <A> GrpcOutcome<A> none(Failure failure) {
    return new GrpcOutcome.None<>(0, failure);
  }

  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }
}
