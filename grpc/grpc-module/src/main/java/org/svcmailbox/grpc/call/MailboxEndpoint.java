package org.svcmailbox.grpc.call;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.request.CallBatch;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.stream.StreamService;
import org.svcmailbox.core.trace.CallSpan;
import org.svcmailbox.grpc.bound.CallBounds;
import org.svcmailbox.grpc.bound.OpenCall;
import org.svcmailbox.grpc.message.RecvMessages;
import org.svcmailbox.grpc.message.SendMessages;
import org.svcmailbox.grpc.message.SettleMessages;
import org.svcmailbox.grpc.refusal.Refusals;
import org.svcmailbox.grpc.stream.RecvStreamCall;
import org.svcmailbox.grpc.stream.SendStreamCall;
import org.svcmailbox.grpc.stream.StreamContext;
import org.svcmailbox.proto.v1.AckBatch;
import org.svcmailbox.proto.v1.Done;
import org.svcmailbox.proto.v1.ExtendBatch;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.NackBatch;
import org.svcmailbox.proto.v1.Outcome;
import org.svcmailbox.proto.v1.RecvCommand;
import org.svcmailbox.proto.v1.RecvEvent;
import org.svcmailbox.proto.v1.RecvRequest;
import org.svcmailbox.proto.v1.RecvResponse;
import org.svcmailbox.proto.v1.SendBatchRequest;
import org.svcmailbox.proto.v1.SendBatchResponse;
import org.svcmailbox.proto.v1.SendFrame;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.SendResult;
import org.svcmailbox.proto.v1.Sent;
import org.svcmailbox.proto.v1.Settled;

/** The calls of the mailbox. */
public final class MailboxEndpoint extends MailboxGrpc.MailboxImplBase {
  private static final Duration OUTCOME_TIMEOUT =
      org.svcmailbox.core.delivery.RecvRequest.MAX_WAIT.multipliedBy(2);

  private final MailboxService mailbox;
  private final CallBounds bounds;
  private final StreamService streams;
  private final Executor threads;
  private final MailboxSettings settings;
  private final Refusals refusals;
  private final UnaryCalls calls;

  /**
   * @param threads encode answers that contain messages
   */
  public MailboxEndpoint(
      MailboxService mailbox,
      StreamService streams,
      MailboxSettings settings,
      Refusals refusals,
      Executor threads,
      CallBounds bounds) {
    this.mailbox = mailbox;
    this.bounds = bounds;
    this.streams = streams;
    this.threads = threads;
    this.settings = settings;
    this.refusals = refusals;
    this.calls = new UnaryCalls(refusals, threads, bounds.answers(), OUTCOME_TIMEOUT);
  }

  @Override
  public void send(SendRequest request, StreamObserver<Sent> client) {
    calls.answerAtOnce(
        client,
        call -> {
          var checked = SendMessages.checked(request, settings.request());
          var message = checked.within(call.idOf(checked.corrId()), call.trace());
          return mailbox.send(call.caller(), message).thenApply(SendMessages::sent);
        });
  }

  @Override
  public void sendBatch(SendBatchRequest request, StreamObserver<SendBatchResponse> client) {
    calls.answer(client, call -> sent(request, call), this::response);
  }

  private CompletionStage<CallBatch<SendOutcome>> sent(SendBatchRequest request, CallInfo call) {
    var messages = SendMessages.checked(request, settings.request());
    Caller caller = call.caller();
    // A refusal that applies to every topic refuses the whole batch.
    caller.requireAnywhere(Operation.SEND);
    @Nullable TraceContext trace = call.trace();
    return CallBatch.of(
        messages, message -> mailbox.send(caller, message.within(message.corrId(), trace)));
  }

  private SendBatchResponse response(CallBatch<SendOutcome> batch, CallInfo call) {
    return SendBatchResponse.newBuilder()
        .addAllOutcomes(
            batch.results(
                outcome -> Outcome.newBuilder().setSent(SendMessages.sent(outcome)).build(),
                failure -> Outcome.newBuilder().setRefused(refusals.status(failure, call)).build()))
        .build();
  }

  @Override
  public void recv(RecvRequest request, StreamObserver<RecvResponse> client) {
    CallSpan span = CallInfo.current().span();
    calls.answerLeased(
        client,
        call -> {
          var checked = RecvMessages.checked(request, settings);
          return mailbox.recv(call.caller(), RecvWait.within(checked, UnaryCalls.remaining()));
        },
        outcome -> {
          link(outcome, span);
          return RecvMessages.response(outcome);
        });
  }

  private static void link(RecvOutcome outcome, CallSpan span) {
    if (span != CallSpan.NONE && outcome instanceof Delivered delivered) {
      delivered.messages().stream()
          .map(leased -> leased.message().trace())
          .filter(Objects::nonNull)
          .forEach(span::link);
    }
  }

  @Override
  public void ack(AckBatch request, StreamObserver<Settled> client) {
    settle(client, () -> SettleMessages.checked(request, settings));
  }

  @Override
  public void nack(NackBatch request, StreamObserver<Settled> client) {
    settle(client, () -> SettleMessages.checked(request, settings));
  }

  @Override
  public void extend(ExtendBatch request, StreamObserver<Settled> client) {
    settle(client, () -> SettleMessages.checked(request, settings));
  }

  private void settle(StreamObserver<Settled> client, Supplier<List<SettleRequest>> requests) {
    calls.answer(
        client,
        call -> CallBatch.of(requests.get(), request -> done(request, call.caller())),
        this::settled);
  }

  private CompletionStage<Done> done(SettleRequest request, Caller caller) {
    return mailbox
        .settle(caller, request)
        .thenApply(outcome -> SettleMessages.done(request.msgId(), outcome));
  }

  private Settled settled(CallBatch<Done> batch, CallInfo call) {
    return SettleMessages.settled(batch, failure -> refusals.status(failure, call));
  }

  @Override
  public StreamObserver<SendFrame> sendStream(StreamObserver<SendResult> client) {
    return SendStreamCall.begin((ServerCallStreamObserver<SendResult>) client, context());
  }

  @Override
  public StreamObserver<RecvCommand> recvStream(StreamObserver<RecvEvent> client) {
    return RecvStreamCall.begin((ServerCallStreamObserver<RecvEvent>) client, context(), streams);
  }

  private StreamContext context() {
    CallInfo call = CallInfo.current();
    return new StreamContext(
        call,
        call.caller(),
        call.trace(),
        call.span(),
        OpenCall.current()::opened,
        mailbox,
        settings,
        bounds.bytes(),
        refusals,
        threads);
  }
}
