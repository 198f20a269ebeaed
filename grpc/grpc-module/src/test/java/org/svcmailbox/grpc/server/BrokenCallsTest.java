package org.svcmailbox.grpc.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.proto.v1.Ack;
import org.svcmailbox.proto.v1.AckBatch;
import org.svcmailbox.proto.v1.Extend;
import org.svcmailbox.proto.v1.ExtendBatch;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.Nack;
import org.svcmailbox.proto.v1.NackBatch;
import org.svcmailbox.proto.v1.Open;
import org.svcmailbox.proto.v1.RecvCommand;
import org.svcmailbox.proto.v1.RecvEvent;
import org.svcmailbox.proto.v1.RecvRequest;
import org.svcmailbox.proto.v1.SendBatchRequest;
import org.svcmailbox.proto.v1.SendFrame;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.test.concurrent.Deadline;

/** Calls that their clients reset: nothing of them stays behind. */
class BrokenCallsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String ID = FakeMailbox.ID.toString();
  private static final SendRequest MESSAGE =
      SendRequest.newBuilder()
          .setTopic("t")
          .setIdemKey("k")
          .setPayload(ByteString.copyFromUtf8("body"))
          .build();

  private final OpenDoor door = new OpenDoor(Numbers.STANDARD);
  private final CompletableFuture<SendOutcome> sent = new CompletableFuture<>();
  private final CompletableFuture<RecvOutcome> received = new CompletableFuture<>();
  private final CompletableFuture<SettleOutcome> settled = new CompletableFuture<>();

  @BeforeEach
  void hold() {
    door.mailbox.onSend = request -> sent;
    door.mailbox.onRecv = request -> received;
    door.mailbox.onSettle = request -> settled;
  }

  @AfterEach
  void close() {
    door.close();
  }

  static Stream<Arguments> calls() {
    return Stream.of(
        Arguments.of(MailboxGrpc.getSendMethod(), MESSAGE),
        Arguments.of(
            MailboxGrpc.getSendBatchMethod(),
            SendBatchRequest.newBuilder().addMessages(MESSAGE).build()),
        Arguments.of(
            MailboxGrpc.getSendStreamMethod(),
            SendFrame.newBuilder().setId(1).setMessage(MESSAGE).build()),
        Arguments.of(
            MailboxGrpc.getRecvMethod(),
            RecvRequest.newBuilder().setTopic("t").setWaitMs(30_000).build()),
        Arguments.of(
            MailboxGrpc.getRecvStreamMethod(),
            RecvCommand.newBuilder().setOpen(Open.newBuilder().setTopic("t")).build()),
        Arguments.of(
            MailboxGrpc.getAckMethod(),
            AckBatch.newBuilder().addAcks(Ack.newBuilder().setMsgId(ID)).build()),
        Arguments.of(
            MailboxGrpc.getNackMethod(),
            NackBatch.newBuilder().addNacks(Nack.newBuilder().setMsgId(ID)).build()),
        Arguments.of(
            MailboxGrpc.getExtendMethod(),
            ExtendBatch.newBuilder()
                .addExtends(Extend.newBuilder().setMsgId(ID).setVisibilityMs(1_000))
                .build()));
  }

  private <Q, A> ClientCall<Q, A> begin(MethodDescriptor<Q, A> method) {
    ClientCall<Q, A> call = door.channel().newCall(method, CallOptions.DEFAULT);
    call.start(new ClientCall.Listener<>() {}, new Metadata());
    call.request(1);
    return call;
  }

  private static String used(String bound) {
    return "bound_used{bound=" + bound + "}";
  }

  private void await(Deadline.Condition condition) {
    Deadline.in(PATIENCE).await(condition, () -> door.metrics().toString());
  }

  private void awaitNothingHeld(MethodDescriptor<?, ?> method) {
    String cancelled =
        "grpc_calls_total{method=" + method.getBareMethodName() + ", code=CANCELLED}";
    door.awaitMetric(1, cancelled);
    for (String bound : new String[] {"grpc_calls", "grpc_bytes", "grpc_recv_bytes"}) {
      door.awaitMetric(0, used(bound));
    }
  }

  /** Ends everything that was asked for, though its client is gone. */
  private void completeAll() {
    sent.complete(new Accepted(FakeMailbox.ID, false));
    received.complete(UnaryCallsTest.delivered());
    settled.complete(SettleOutcome.DONE);
  }

  @ParameterizedTest
  @MethodSource("calls")
  <Q, A> void aCallThatIsResetWhileItIsServedHoldsNothing(MethodDescriptor<Q, A> method, Q request)
      throws Exception {
    ClientCall<Q, A> call = begin(method);
    call.sendMessage(request);
    if (method.getType() == MethodType.UNARY) {
      call.halfClose();
    }
    FakeStreams.Opened stream = request instanceof RecvCommand ? door.streams.next() : null;
    await(() -> stream != null || !door.mailbox.requests.isEmpty());
    assertEquals(1, door.metric(used("grpc_calls")));
    call.cancel("gone", null);
    awaitNothingHeld(method);
    completeAll();
    if (stream != null) {
      await(() -> stream.done.contains("cut"));
    }
    if (request instanceof RecvRequest) {
      assertNotNull(door.mailbox.abandoned.poll(20, SECONDS), "its client is gone");
      assertNotNull(door.mailbox.abandoned.poll(20, SECONDS), "its messages came later");
    }
    assertTrue(OpenDoor.stub(door.channel()).send(MESSAGE).isInitialized());
    awaitNothingHeld(method);
  }

  @ParameterizedTest
  @MethodSource("calls")
  <Q, A> void aCallThatIsResetBeforeItsRequestHoldsNothing(
      MethodDescriptor<Q, A> method, Q unsent) {
    // As a stream, whose headers are not kept until there is a message.
    ClientCall<Q, A> call = begin(method.toBuilder().setType(MethodType.BIDI_STREAMING).build());
    door.awaitMetric(1, used("grpc_calls"));
    call.cancel("gone", null);
    awaitNothingHeld(method);
    assertTrue(door.mailbox.requests.isEmpty());
  }

  /** Its chunks wait for a client that reads nothing. */
  @Test
  void aStreamThatIsResetInTheMiddleOfAMessageIsCut() throws Exception {
    ClientCall<RecvCommand, RecvEvent> call =
        door.channel().newCall(MailboxGrpc.getRecvStreamMethod(), CallOptions.DEFAULT);
    call.start(new ClientCall.Listener<>() {}, new Metadata());
    call.sendMessage(RecvCommand.newBuilder().setOpen(Open.newBuilder().setTopic("t")).build());
    FakeStreams.Opened stream = door.streams.next();
    stream.output.message(1, StreamCallsTest.message(new byte[OpenDoor.MAX_FRAME]));
    await(() -> !stream.output.isReady());
    call.cancel("gone", null);
    await(() -> stream.done.contains("cut"));
    awaitNothingHeld(MailboxGrpc.getRecvStreamMethod());
  }

  @Test
  void everyCallIsTried() {
    assertEquals(
        MailboxGrpc.getServiceDescriptor().getMethods().size(),
        calls().map(call -> call.get()[0]).distinct().count());
  }
}
