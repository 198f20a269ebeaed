package org.svcmailbox.grpc.server;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.SendOutcome.KeyConflict;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.grpc.server.FakeSpans.FakeSpan;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.Open;
import org.svcmailbox.proto.v1.RecvCommand;
import org.svcmailbox.proto.v1.RecvEvent;
import org.svcmailbox.proto.v1.RecvRequest;
import org.svcmailbox.proto.v1.RecvResponse;
import org.svcmailbox.proto.v1.SendFrame;
import org.svcmailbox.proto.v1.SendResult;
import org.svcmailbox.proto.v1.Sent;
import org.svcmailbox.test.concurrent.Deadline;

/** The time and the span of each call. */
class MeasuredCallsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final String OK = "rpc.grpc.status_code 0";

  private final OpenDoor door = new OpenDoor(Numbers.STANDARD);

  @BeforeEach
  void trace() {
    door.spans.isOn = true;
  }

  @AfterEach
  void close() {
    door.close();
  }

  private static org.svcmailbox.proto.v1.SendRequest message() {
    return org.svcmailbox.proto.v1.SendRequest.newBuilder().setTopic("t").setIdemKey("k").build();
  }

  private static LeasedMessage leased(boolean isTraced) {
    var stored = SampleMessages.message(new ShardId(new TopicName("t"), 0), 1, Instant.EPOCH);
    return new LeasedMessage(
        isTraced ? SampleMessages.within(SampleMessages.TRACE, stored) : stored,
        new Receipt("r-1"),
        Duration.ofSeconds(5));
  }

  private FakeSpan span() {
    assertEquals(1, door.spans.all.size());
    return door.spans.all.get(0);
  }

  /** A client may have its answer before the call has ended here. */
  private void awaitEnd(FakeSpan span, String end) {
    Deadline.in(PATIENCE).await(() -> !span.ends.isEmpty(), () -> "the span goes on");
    assertEquals(List.of(end), span.ends);
  }

  private void awaitTimed(String method, long times) {
    Deadline.in(PATIENCE)
        .await(() -> door.timed(method) >= times, () -> method + " " + door.timed(method));
    assertEquals(times, door.timed(method));
  }

  @Test
  void aCallHasASpanBelowTheClientsAndItsMessageIsBelowThat() {
    Sent unused = OpenDoor.with(door.stub(), "traceparent", TRACE).send(message());
    FakeSpan span = span();
    awaitEnd(span, OK);
    assertEquals("mailbox.v1.Mailbox/Send", span.method);
    assertEquals(TRACE, requireNonNull(span.sender).parent());
    SendRequest asked = (SendRequest) requireNonNull(door.mailbox.requests.poll());
    assertEquals(FakeSpans.HERE, asked.trace());
    awaitTimed("Send", 1);
  }

  @Test
  void aRefusalIsNoFailureOfTheSpan() {
    door.mailbox.onSend =
        request -> CompletableFuture.completedStage(new KeyConflict(FakeMailbox.ID));
    Status refused =
        OpenDoor.refused(
            () -> {
              Sent unused = door.stub().send(message());
            });
    assertEquals(Status.Code.ALREADY_EXISTS, refused.getCode());
    awaitEnd(span(), "rpc.grpc.status_code 6");
    awaitTimed("Send", 1);
  }

  @Test
  void aFailureOfTheServiceFailsTheSpan() {
    door.mailbox.onSend = request -> CompletableFuture.failedStage(new IllegalStateException());
    Status refused =
        OpenDoor.refused(
            () -> {
              Sent unused = door.stub().send(message());
            });
    assertEquals(Status.Code.INTERNAL, refused.getCode());
    awaitEnd(span(), "rpc.grpc.status_code 13 failed");
  }

  @Test
  void aCallThatIsNotLetInIsTimedAndHasNoSpan() {
    door.capabilities.onAuthenticate =
        () -> {
          throw new UnavailableException("away");
        };
    Status refused =
        OpenDoor.refused(
            () -> {
              Sent unused = door.stub().send(message());
            });
    assertEquals(Status.Code.UNAVAILABLE, refused.getCode());
    awaitTimed("Send", 1);
    assertTrue(door.spans.all.isEmpty());
  }

  @Test
  void aRecvIsLinkedToTheSendersOfItsMessages() {
    door.mailbox.onRecv =
        request ->
            CompletableFuture.completedStage(new Delivered(List.of(leased(true), leased(false))));
    RecvResponse answer = door.stub().recv(RecvRequest.newBuilder().setTopic("t").build());
    assertEquals(2, answer.getMessagesCount());
    awaitEnd(span(), OK);
    assertEquals(List.of(SampleMessages.TRACE), span().links);
  }

  @Test
  void aCallThatItsClientCancelsEndsItsSpan() {
    door.mailbox.onRecv = request -> new CompletableFuture<>();
    var pending =
        MailboxGrpc.newFutureStub(door.channel())
            .recv(RecvRequest.newBuilder().setTopic("t").setWaitMs(30_000).build());
    Deadline.in(PATIENCE).await(() -> !door.mailbox.requests.isEmpty(), () -> "no call");
    assertTrue(pending.cancel(true));
    awaitEnd(span(), "rpc.grpc.status_code 1");
    awaitTimed("Recv", 1);
  }

  @Test
  void aStreamIsMeasuredUntilItOpensAndEachRoundHasASpan() throws Exception {
    Answers<RecvCommand, RecvEvent> answers = new Answers<>();
    var commands = MailboxGrpc.newStub(door.channel()).recvStream(answers);
    commands.onNext(RecvCommand.newBuilder().setOpen(Open.newBuilder().setTopic("t")).build());
    FakeStreams.Opened stream = door.streams.next();
    assertTrue(answers.next().hasOpened());
    FakeSpan span = span();
    awaitEnd(span, OK);
    awaitTimed("RecvStream", 1);
    stream.output.run(
        () -> {
          stream.output.message(1, leased(true));
          stream.output.message(2, leased(false));
        });
    assertTrue(answers.next().hasDelivery());
    assertTrue(answers.next().hasDelivery());
    stream.output.run(() -> stream.output.heartbeat(2, null));
    assertTrue(answers.next().hasHeartbeat());
    Deadline.in(PATIENCE).await(() -> !span.rounds.isEmpty(), () -> "no round");
    commands.onCompleted();
    assertTrue(answers.end().isOk());
    assertEquals(List.of(List.of(2, 1)), span.rounds);
    awaitEnd(span, OK);
    awaitTimed("RecvStream", 1);
  }

  @Test
  void aSendStreamIsMeasuredUntilItBeginsAndItsMessagesAreBelowIt() throws Exception {
    Answers<SendFrame, SendResult> answers = new Answers<>();
    var frames = MailboxGrpc.newStub(door.channel()).sendStream(answers);
    frames.onNext(SendFrame.newBuilder().setId(1).setMessage(message()).build());
    assertNotNull(answers.next());
    awaitEnd(span(), OK);
    awaitTimed("SendStream", 1);
    SendRequest asked = (SendRequest) requireNonNull(door.mailbox.requests.poll());
    assertEquals(FakeSpans.HERE, asked.trace());
    frames.onCompleted();
    assertTrue(answers.end().isOk());
    awaitTimed("SendStream", 1);
  }
}
