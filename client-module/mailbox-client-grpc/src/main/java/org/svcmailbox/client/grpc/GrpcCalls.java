package org.svcmailbox.client.grpc;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.service.Failure;
import org.svcmailbox.client.service.Reading;
import org.svcmailbox.client.service.Repeater;
import org.svcmailbox.client.service.Settling;
import org.svcmailbox.proto.v1.AckBatch;
import org.svcmailbox.proto.v1.ExtendBatch;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.NackBatch;
import org.svcmailbox.proto.v1.Outcome;
import org.svcmailbox.proto.v1.SendBatchRequest;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.Settle;
import org.svcmailbox.proto.v1.SettleOutcome;
import org.svcmailbox.proto.v1.Settled;

/**
 * Makes calls and repeats them, in the same cases as over HTTP. If a batch as a whole is malformed
 * or too large, its elements are sent one by one, so that only the bad ones fail.
 */
final class GrpcCalls {
  /** A batch is malformed, or too large. */
  private static final Set<Integer> NOT_TOGETHER = Set.of(400, 413);

  private static final Metadata NONE = new Metadata();
  private static final Metadata.Key<String> TRACEPARENT = key("traceparent");
  private static final Metadata.Key<String> TRACESTATE = key("tracestate");
  private static final Metadata.Key<String> CORRELATION_ID = key("x-correlation-id");

  private final GrpcTransport transport;
  private final Repeater repeater;
  private final MailboxClock clock;
  private final Duration callTimeout;
  private final Supplier<@Nullable GrpcLink> stream;

  /**
   * @param stream the stream that settlements may use; null for none
   */
  GrpcCalls(
      GrpcTransport transport,
      Repeater repeater,
      MailboxClock clock,
      Duration callTimeout,
      Supplier<@Nullable GrpcLink> stream) {
    this.transport = transport;
    this.repeater = repeater;
    this.clock = clock;
    this.callTimeout = callTimeout;
    this.stream = stream;
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  /** Sends. Afterwards every task has its result. */
  void send(List<GrpcTask<SendRequest, Sent>> tasks) {
    repeater.run(this::attemptSend, tasks);
  }

  private void attemptSend(List<GrpcTask<SendRequest, Sent>> tasks) throws InterruptedException {
    if (tasks.size() == 1) {
      GrpcTask<SendRequest, Sent> task = tasks.get(0);
      SendRequest message = task.element();
      end(
          task,
          together(
              tasks,
              () ->
                  transport.call(
                      MailboxGrpc.getSendMethod(), message, metadata(message), deadline(tasks))),
          sent -> new Sent(sent.getMsgId(), sent.getDuplicate()),
          GrpcCalls::asItIs);
    } else {
      sendTogether(tasks);
    }
  }

  /** The call carries the trace of its message, if that fits into a header. */
  private static Metadata metadata(SendRequest message) {
    Metadata metadata = new Metadata();
    put(metadata, TRACEPARENT, message.getTraceparent());
    put(metadata, TRACESTATE, message.getTracestate());
    put(metadata, CORRELATION_ID, message.getCorrId());
    return metadata;
  }

  private static void put(Metadata metadata, Metadata.Key<String> key, String value) {
    boolean isAscii = value.chars().allMatch(c -> c >= ' ' && c <= '~');
    if (!value.isEmpty() && isAscii) {
      metadata.put(key, value);
    }
  }

  private void sendTogether(List<GrpcTask<SendRequest, Sent>> tasks) throws InterruptedException {
    SendBatchRequest batch =
        SendBatchRequest.newBuilder()
            .addAllMessages(tasks.stream().map(GrpcTask::element).toList())
            .build();
    var reply =
        together(
            tasks,
            () -> transport.call(MailboxGrpc.getSendBatchMethod(), batch, NONE, deadline(tasks)));
    if (isNotTogether(reply)) {
      tasks.forEach(task -> send(List.of(task)));
      return;
    }
    String target = transport.target(MailboxGrpc.getSendBatchMethod());
    endAll(
        tasks,
        reply,
        answer -> answer.getOutcomesList(),
        (Outcome outcome, String token) ->
            outcome.hasSent()
                ? new GrpcOutcome.Answer<>(
                    new Sent(outcome.getSent().getMsgId(), outcome.getSent().getDuplicate()), token)
                : GrpcProblems.of(target, outcome.getRefused(), token),
        GrpcCalls::asItIs);
  }

  private static boolean isNotTogether(GrpcOutcome<?> reply) {
    return (reply instanceof GrpcOutcome.Refused<?> refused
            && NOT_TOGETHER.contains(refused.problem().status()))
        || (reply instanceof GrpcOutcome.None<?> none && NOT_TOGETHER.contains(none.status()));
  }

  /** Settles, over the stream if one is open. Afterwards every task has its result. */
  void settle(Settling kind, List<GrpcTask<Settle, Boolean>> tasks) {
    repeater.run(left -> attemptSettle(kind, left), tasks);
  }

  private void attemptSettle(Settling kind, List<GrpcTask<Settle, Boolean>> tasks)
      throws InterruptedException {
    Settle settle = merged(tasks);
    GrpcLink link = stream.get();
    CompletableFuture<Settled> result = link == null ? null : link.settle(settle);
    GrpcOutcome<Settled> reply =
        together(
            tasks,
            () -> result != null ? streamed(result, tasks) : unary(kind, settle, deadline(tasks)));
    settled(kind, tasks, reply);
  }

  private static Settle merged(List<GrpcTask<Settle, Boolean>> tasks) {
    Settle.Builder settle = Settle.newBuilder();
    tasks.forEach(task -> settle.mergeFrom(task.element()));
    return settle.build();
  }

  /** The stream may end before it answers; the next attempt is then a call of its own. */
  private GrpcOutcome<Settled> streamed(
      CompletableFuture<Settled> result, List<GrpcTask<Settle, Boolean>> tasks)
      throws InterruptedException {
    long end = deadline(tasks);
    long latest = clock.deadline(callTimeout);
    long nanos = Math.max(1, (end - latest < 0 ? end : latest) - clock.nanoTime());
    try {
      return new GrpcOutcome.Answer<>(result.get(nanos, TimeUnit.NANOSECONDS), "");
    } catch (ExecutionException | TimeoutException e) {
      return new GrpcOutcome.None<>(
          0, Failure.unknown("no answer to a settlement over the stream", e.getCause()));
    }
  }

  /** Extends leases by a call that does not wait for room. Afterwards every task has its result. */
  void heartbeat(List<GrpcTask<Settle, Boolean>> tasks) {
    repeater.run(
        left ->
            settled(
                Settling.EXTEND,
                left,
                together(
                    left,
                    () ->
                        transport.heartbeat(
                            MailboxGrpc.getExtendMethod(),
                            extensions(merged(left)),
                            deadline(left)))),
        tasks);
  }

  private GrpcOutcome<Settled> unary(Settling kind, Settle settle, long deadline)
      throws InterruptedException {
    return switch (kind) {
      case ACK ->
          transport.call(
              MailboxGrpc.getAckMethod(),
              AckBatch.newBuilder().addAllAcks(settle.getAcksList()).build(),
              NONE,
              deadline);
      case NACK, REJECT ->
          transport.call(
              MailboxGrpc.getNackMethod(),
              NackBatch.newBuilder().addAllNacks(settle.getNacksList()).build(),
              NONE,
              deadline);
      case EXTEND ->
          transport.call(MailboxGrpc.getExtendMethod(), extensions(settle), NONE, deadline);
    };
  }

  private static MethodDescriptor<?, Settled> method(Settling kind) {
    return switch (kind) {
      case ACK -> MailboxGrpc.getAckMethod();
      case NACK, REJECT -> MailboxGrpc.getNackMethod();
      case EXTEND -> MailboxGrpc.getExtendMethod();
    };
  }

  private static ExtendBatch extensions(Settle settle) {
    return ExtendBatch.newBuilder().addAllExtends(settle.getExtendsList()).build();
  }

  private void settled(
      Settling kind, List<GrpcTask<Settle, Boolean>> tasks, GrpcOutcome<Settled> reply) {
    if (tasks.size() > 1 && isNotTogether(reply)) {
      tasks.forEach(task -> settle(kind, List.of(task)));
      return;
    }
    String target = transport.target(method(kind));
    endAll(
        tasks,
        reply,
        Settled::getOutcomesList,
        (SettleOutcome outcome, String token) ->
            outcome.hasDone()
                ? new GrpcOutcome.Answer<>(true, token)
                : GrpcProblems.of(target, outcome.getRefused(), token),
        (task, refused) -> kind.read(refused.problem(), task.lost(), () -> refused.failure()));
  }

  /** Interprets a refusal of a task. */
  private interface Meaning<Q extends com.google.protobuf.MessageLite, A> {
    Reading<A> of(GrpcTask<Q, A> task, GrpcOutcome.Refused<A> refused);
  }

  private static <Q extends com.google.protobuf.MessageLite, A> Reading<A> asItIs(
      GrpcTask<Q, A> unused, GrpcOutcome.Refused<A> refused) {
    return new Reading.Refused<>(refused.failure());
  }

  private interface Element<E, A> {
    GrpcOutcome<A> read(E element, String token);
  }

  /** Ends each task with its element of the answer, or all tasks alike. */
  private static <Q extends com.google.protobuf.MessageLite, A, B, E> void endAll(
      List<GrpcTask<Q, A>> tasks,
      GrpcOutcome<B> reply,
      Function<B, List<E>> elements,
      Element<E, A> element,
      Meaning<Q, A> meaning) {
    if (!(reply instanceof GrpcOutcome.Answer<B> answer)) {
      tasks.forEach(task -> end(task, reply, unused -> null, meaning));
      return;
    }
    List<E> results = elements.apply(answer.message());
    if (results.size() != tasks.size()) {
      IOException cause =
          new IOException(results.size() + " results for " + tasks.size() + " elements");
      tasks.forEach(
          task -> task.attemptFailed(Failure.unknown("the answer cannot be read", cause)));
      return;
    }
    for (int i = 0; i < results.size(); i++) {
      end(tasks.get(i), element.read(results.get(i), answer.token()), read -> read, meaning);
    }
  }

  private static <Q extends com.google.protobuf.MessageLite, A, B> void end(
      GrpcTask<Q, A> task, GrpcOutcome<B> reply, Function<B, A> read, Meaning<Q, A> meaning) {
    if (reply instanceof GrpcOutcome.Answer<B> answer) {
      task.succeed(read.apply(answer.message()));
    } else if (reply instanceof GrpcOutcome.Refused<B> refused) {
      Reading<A> reading =
          meaning.of(task, new GrpcOutcome.Refused<>(refused.problem(), refused.failure()));
      if (reading instanceof Reading.Done<A> done) {
        task.succeed(done.answer());
      } else if (reading instanceof Reading.Refused<A> not) {
        task.attemptFailed(not.failure());
      }
    } else if (reply instanceof GrpcOutcome.None<B> none) {
      task.attemptFailed(none.failure());
    }
  }

  private interface Attempt<A> {
    GrpcOutcome<A> make() throws InterruptedException;
  }

  /** An interrupted attempt may have been carried out. */
  private static <A> GrpcOutcome<A> together(
      List<? extends GrpcTask<?, ?>> tasks, Attempt<A> attempt) throws InterruptedException {
    try {
      return attempt.make();
    } catch (InterruptedException e) {
      Failure failure = Failure.unknown("interrupted during the call", e);
      tasks.forEach(task -> task.attemptFailed(failure));
      throw e;
    }
  }

  private static long deadline(List<? extends GrpcTask<?, ?>> tasks) {
    long last = tasks.get(0).deadline();
    for (GrpcTask<?, ?> task : tasks) {
      last = task.deadline() - last > 0 ? task.deadline() : last;
    }
    return last;
  }
}
