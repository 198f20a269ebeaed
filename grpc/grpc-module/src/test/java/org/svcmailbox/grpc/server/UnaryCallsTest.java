package org.svcmailbox.grpc.server;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.google.rpc.Code;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.HashMismatch;
import org.svcmailbox.core.delivery.SendOutcome.KeyConflict;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Stale;
import org.svcmailbox.core.delivery.SettleOutcome.Why;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.FrameTooLargeException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.proto.v1.Ack;
import org.svcmailbox.proto.v1.AckBatch;
import org.svcmailbox.proto.v1.Extend;
import org.svcmailbox.proto.v1.ExtendBatch;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.Nack;
import org.svcmailbox.proto.v1.NackBatch;
import org.svcmailbox.proto.v1.Problem;
import org.svcmailbox.proto.v1.Received;
import org.svcmailbox.proto.v1.RecvResponse;
import org.svcmailbox.proto.v1.SendBatchRequest;
import org.svcmailbox.proto.v1.SendBatchResponse;
import org.svcmailbox.proto.v1.Sent;
import org.svcmailbox.proto.v1.Settled;

class UnaryCallsTest {
  private static final String ID = FakeMailbox.ID.toString();
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private final OpenDoor door = new OpenDoor(Numbers.STANDARD);

  @AfterEach
  void close() {
    door.close();
  }

  private static org.svcmailbox.proto.v1.SendRequest.Builder message() {
    return org.svcmailbox.proto.v1.SendRequest.newBuilder()
        .setTopic("orders")
        .setIdemKey("k")
        .setPayload(ByteString.copyFromUtf8("body"));
  }

  private static org.svcmailbox.proto.v1.RecvRequest recv(long wait) {
    return org.svcmailbox.proto.v1.RecvRequest.newBuilder()
        .setTopic("orders")
        .setWaitMs(wait)
        .build();
  }

  private void onSend(SendOutcome outcome) {
    door.mailbox.onSend = request -> CompletableFuture.completedStage(outcome);
  }

  private StatusRuntimeException refusedSend() {
    return assertThrows(StatusRuntimeException.class, () -> door.stub().send(message().build()));
  }

  private static Problem problem(StatusRuntimeException refused) {
    com.google.rpc.Status status = requireNonNull(StatusProto.fromThrowable(refused));
    return status.getDetailsList().stream()
        .filter(any -> any.is(Problem.class))
        .map(UnaryCallsTest::unpacked)
        .findAny()
        .orElseThrow();
  }

  private static Problem unpacked(Any any) {
    try {
      return any.unpack(Problem.class);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  private static StoredMessage stored() {
    return SampleMessages.message(new ShardId(new TopicName("orders"), 0), 1, Instant.EPOCH);
  }

  /** One message. */
  static Delivered delivered() {
    return delivered(stored());
  }

  private static Delivered delivered(StoredMessage message) {
    return new Delivered(
        List.of(new LeasedMessage(message, new Receipt("r-1"), Duration.ofSeconds(5))));
  }

  @Test
  void aSendIsAnsweredWithItsId() {
    Sent sent = door.stub().send(message().build());
    assertEquals(ID, sent.getMsgId());
    assertFalse(sent.getDuplicate());
    SendRequest asked = (SendRequest) requireNonNull(door.mailbox.requests.poll());
    assertEquals("orders", asked.topic().value());
    door.awaitMetric(1, "grpc_calls_total{method=Send, code=OK}");
  }

  @Test
  void theCapabilityIsThatOfTheMetadata() {
    Sent unused =
        OpenDoor.with(
                MailboxGrpc.newBlockingStub(door.channel()), "authorization", "bearer  a-token ")
            .send(message().build());
    var presented = requireNonNull(door.capabilities.presented.poll());
    assertEquals("a-token", presented.token());
    assertEquals("127.0.0.1", requireNonNull(presented.address()).getHostAddress());
    Sent without = MailboxGrpc.newBlockingStub(door.channel()).send(message().build());
    assertNotNull(without);
    assertNull(requireNonNull(door.capabilities.presented.poll()).token());
  }

  @Test
  void traceAndCorrelationOfTheMetadataGoIntoTheMessage() {
    var stub = OpenDoor.with(door.stub(), "traceparent", TRACE);
    stub = OpenDoor.with(OpenDoor.with(stub, "tracestate", "v=1"), "x-correlation-id", "mine");
    Sent unused = stub.send(message().build());
    SendRequest asked = (SendRequest) requireNonNull(door.mailbox.requests.poll());
    assertEquals("mine", String.valueOf(asked.corrId()));
    assertEquals(TRACE, requireNonNull(asked.trace()).parent());
    assertEquals("v=1", requireNonNull(asked.trace()).state());
    Sent named = stub.send(message().setCorrId("named").build());
    assertNotNull(named);
    SendRequest other = (SendRequest) requireNonNull(door.mailbox.requests.poll());
    assertEquals("named", String.valueOf(other.corrId()));
  }

  @Test
  void outcomesAreStatusesWithAProblem() {
    onSend(new KeyConflict(FakeMailbox.ID));
    StatusRuntimeException conflict = refusedSend();
    assertEquals(Status.Code.ALREADY_EXISTS, conflict.getStatus().getCode());
    assertEquals(ID, problem(conflict).getMsgId());
    onSend(new HashMismatch());
    StatusRuntimeException mismatch = refusedSend();
    assertEquals(Status.Code.INVALID_ARGUMENT, mismatch.getStatus().getCode());
    assertEquals("E_INTEGRITY", problem(mismatch).getCode());
    onSend(Refusal.saturated("shard_capacity", "Full", Duration.ofMillis(1_500)));
    StatusRuntimeException full = refusedSend();
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, full.getStatus().getCode());
    assertEquals(1_500, problem(full).getRetryAfterMs());
    door.awaitMetric(1, "rejected_total{reason=shard_capacity}");
    door.awaitMetric(1, "busy_rejections_total{endpoint=send}");
    door.awaitMetric(1, "grpc_calls_total{method=Send, code=RESOURCE_EXHAUSTED}");
  }

  @Test
  void exceptionsAreStatusesToo() {
    door.mailbox.onSend =
        request -> {
          throw new FrameTooLargeException("the payload", 7);
        };
    assertEquals("E_FRAME_TOO_LARGE", problem(refusedSend()).getCode());
    door.mailbox.onSend = request -> CompletableFuture.failedStage(new AssertionError("secret"));
    StatusRuntimeException internal = refusedSend();
    assertEquals(Status.Code.INTERNAL, internal.getStatus().getCode());
    assertFalse(internal.toString().contains("secret"));
    assertFalse(problem(internal).getCorrId().isEmpty());
  }

  @Test
  void aCallIsAuthenticatedBeforeItIsRead() {
    door.capabilities.onAuthenticate =
        () -> {
          throw new SaturatedException("rate_address", "too often", Duration.ofSeconds(2));
        };
    StatusRuntimeException refused = refusedSend();
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, refused.getStatus().getCode());
    assertEquals("rate_address", problem(refused).getReason());
    assertTrue(door.mailbox.requests.isEmpty());
  }

  @Test
  void fieldsThatNobodyKnowsAreRefused() {
    UnknownFieldSet more =
        UnknownFieldSet.newBuilder()
            .mergeField(999, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    StatusRuntimeException refused =
        assertThrows(
            StatusRuntimeException.class,
            () -> door.stub().send(message().setUnknownFields(more).build()));
    assertEquals(Status.Code.INVALID_ARGUMENT, refused.getStatus().getCode());
    assertEquals("999", problem(refused).getErrors(0).getField());
  }

  @Test
  void elementsOfABatchSucceedOrFailByThemselves() {
    door.mailbox.onSend =
        request ->
            request.idemKey().value().equals("bad")
                ? CompletableFuture.completedStage(new KeyConflict(FakeMailbox.ID))
                : CompletableFuture.completedStage(new SendOutcome.Accepted(FakeMailbox.ID, true));
    SendBatchResponse response =
        door.stub()
            .sendBatch(
                SendBatchRequest.newBuilder()
                    .addMessages(message())
                    .addMessages(message().setIdemKey("bad"))
                    .build());
    assertTrue(response.getOutcomes(0).getSent().getDuplicate());
    assertEquals(Code.ALREADY_EXISTS.getNumber(), response.getOutcomes(1).getRefused().getCode());
  }

  @Test
  void aRefusalThatHoldsForEveryTopicRefusesTheWholeBatch() {
    door.capabilities.onAuthenticate = () -> new SampleCallers().caller(1, "ops = recv");
    Status refused =
        OpenDoor.refused(
            () -> {
              SendBatchResponse unused =
                  door.stub()
                      .sendBatch(SendBatchRequest.newBuilder().addMessages(message()).build());
            });
    assertEquals(Status.Code.PERMISSION_DENIED, refused.getCode());
    assertTrue(door.mailbox.requests.isEmpty());
  }

  @Test
  void aReceivedMessageHasAllItsFields() {
    StoredMessage message = SampleMessages.within(SampleMessages.TRACE, stored());
    door.mailbox.onRecv = request -> CompletableFuture.completedStage(delivered(message));
    Received received = door.stub().recv(recv(0)).getMessages(0);
    var envelope = message.envelope();
    assertEquals(envelope.msgId().toString(), received.getEnvelope().getMsgId());
    assertEquals(envelope.topic().value(), received.getEnvelope().getTopic());
    assertEquals(envelope.idemKey().value(), received.getEnvelope().getIdemKey());
    assertEquals(envelope.payloadHash().toString(), received.getEnvelope().getPayloadHash());
    assertEquals(envelope.hashChain().toString(), received.getEnvelope().getHashChain());
    assertEquals(envelope.attrs().values(), received.getEnvelope().getAttrsMap());
    assertEquals(envelope.corrId().value(), received.getEnvelope().getCorrId());
    assertEquals(envelope.shard(), received.getEnvelope().getShard());
    assertEquals(envelope.seq(), received.getEnvelope().getSeq());
    assertEquals(envelope.attempt(), received.getEnvelope().getAttempt());
    assertEquals(ByteString.copyFrom(message.payload().bytes()), received.getPayload());
    assertEquals("r-1", received.getReceipt());
    assertEquals(5_000, received.getVisibilityMs());
    assertEquals(SampleMessages.TRACE.parent(), received.getTraceparent());
    door.awaitMetric(0, "bound_used{bound=grpc_recv_bytes}");
    assertTrue(door.mailbox.abandoned.isEmpty());
  }

  @Test
  void theWaitOfARecvEndsBeforeItsDeadline() {
    RecvResponse unused = door.stub().withDeadlineAfter(10, SECONDS).recv(recv(30_000));
    RecvRequest asked = (RecvRequest) requireNonNull(door.mailbox.requests.poll());
    assertTrue(asked.maxWait().compareTo(Duration.ofMillis(9_900)) <= 0, asked.toString());
    assertTrue(asked.maxWait().compareTo(Duration.ofSeconds(5)) > 0, asked.toString());
  }

  @Test
  void aRecvThatItsClientCancelsGivesItsLeasesBack() throws InterruptedException {
    CompletableFuture<RecvOutcome> outcome = new CompletableFuture<>();
    CountDownLatch asked = new CountDownLatch(1);
    door.mailbox.onRecv =
        request -> {
          asked.countDown();
          return outcome;
        };
    ListenableFuture<RecvResponse> pending =
        MailboxGrpc.newFutureStub(door.channel()).recv(recv(30_000));
    assertTrue(asked.await(10, SECONDS));
    assertTrue(pending.cancel(true));
    assertNotNull(door.mailbox.abandoned.poll(10, SECONDS));
    outcome.complete(delivered(stored()));
    // Once more: the messages came after the cancellation.
    assertNotNull(door.mailbox.abandoned.poll(10, SECONDS));
    door.awaitMetric(0, "bound_used{bound=grpc_recv_bytes}");
  }

  @Test
  void aDeadlineThatEndsARecvGivesItsLeasesBack() throws InterruptedException {
    door.mailbox.onRecv = request -> new CompletableFuture<>();
    Status refused =
        OpenDoor.refused(
            () -> {
              RecvResponse unused =
                  door.stub().withDeadlineAfter(300, TimeUnit.MILLISECONDS).recv(recv(30_000));
            });
    assertEquals(Status.Code.DEADLINE_EXCEEDED, refused.getCode());
    assertNotNull(door.mailbox.abandoned.poll(10, SECONDS));
  }

  @Test
  void settlementsSucceedOrFailByThemselves() {
    door.mailbox.onSettle =
        request ->
            CompletableFuture.completedStage(
                request.receipt() == null ? SettleOutcome.DONE : new Stale(Why.EXPIRED));
    Settled acked =
        door.stub()
            .ack(
                AckBatch.newBuilder()
                    .addAcks(Ack.newBuilder().setMsgId(ID))
                    .addAcks(Ack.newBuilder().setMsgId(ID).setReceipt("r"))
                    .build());
    assertTrue(acked.getOutcomes(0).hasDone());
    assertEquals(Code.FAILED_PRECONDITION.getNumber(), acked.getOutcomes(1).getRefused().getCode());
    Settled nacked =
        door.stub().nack(NackBatch.newBuilder().addNacks(Nack.newBuilder().setMsgId(ID)).build());
    assertTrue(nacked.getOutcomes(0).hasDone());
    Settled extended =
        door.stub()
            .extend(
                ExtendBatch.newBuilder()
                    .addExtends(Extend.newBuilder().setMsgId(ID).setVisibilityMs(1_000))
                    .build());
    assertTrue(extended.getOutcomes(0).hasDone());
    assertEquals(4, door.mailbox.requests.size());
  }

  @Test
  void proxiesSayWhereACallCameFrom() {
    try (OpenDoor behind =
        new OpenDoor(
            Numbers.STANDARD,
            Optional.empty(),
            Map.of("mailbox.trusted_proxies", "127.0.0.1/32"))) {
      Sent unused =
          OpenDoor.with(behind.stub(), "x-forwarded-for", "192.0.2.9").send(message().build());
      var presented = requireNonNull(behind.capabilities.presented.poll());
      assertEquals("192.0.2.9", requireNonNull(presented.address()).getHostAddress());
    }
  }

  @Test
  void metadataThatIsTooLargeIsRefused() {
    var stub = OpenDoor.with(door.stub(), "x-filler", "x".repeat(17_000));
    Status refused =
        OpenDoor.refused(
            () -> {
              Sent unused = stub.send(message().build());
            });
    assertFalse(refused.isOk());
    assertTrue(door.capabilities.presented.isEmpty());
    Sent sent = OpenDoor.with(door.stub(), "x-filler", "x".repeat(15_000)).send(message().build());
    assertEquals(ID, sent.getMsgId());
  }
}
