package org.svcmailbox.it.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.StatusProto;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.GrpcClient;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.proto.v1.Ack;
import org.svcmailbox.proto.v1.AckBatch;
import org.svcmailbox.proto.v1.Extend;
import org.svcmailbox.proto.v1.ExtendBatch;
import org.svcmailbox.proto.v1.MailboxGrpc.MailboxBlockingStub;
import org.svcmailbox.proto.v1.Nack;
import org.svcmailbox.proto.v1.NackBatch;
import org.svcmailbox.proto.v1.Problem;
import org.svcmailbox.proto.v1.Received;
import org.svcmailbox.proto.v1.RecvRequest;
import org.svcmailbox.proto.v1.SendBatchRequest;
import org.svcmailbox.proto.v1.SendBatchResponse;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.Sent;
import org.svcmailbox.proto.v1.Settled;
import org.svcmailbox.test.concurrent.Deadline;

/** The same mailbox over gRPC. */
@ContractTest
class GrpcIT {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final GrpcClient grpc;
  private final MailboxClient http;
  private final String topic = "grpc." + UUID.randomUUID();

  GrpcIT(MailboxServer server, MailboxClient client) throws IOException {
    this.grpc = GrpcClient.of(server);
    this.http = client;
  }

  @AfterEach
  void close() {
    grpc.close();
  }

  private MailboxBlockingStub mailbox() {
    return grpc.mailbox().withDeadlineAfter(30, TimeUnit.SECONDS);
  }

  private SendRequest.Builder message(String key) {
    return SendRequest.newBuilder()
        .setTopic(topic)
        .setIdemKey(key)
        .setPayload(ByteString.copyFromUtf8("body of " + key));
  }

  private Received receive() {
    return mailbox()
        .recv(RecvRequest.newBuilder().setTopic(topic).setWaitMs(10_000).build())
        .getMessages(0);
  }

  private static Problem problem(StatusRuntimeException refused) {
    return requireNonNull(StatusProto.fromThrowable(refused)).getDetailsList().stream()
        .filter(any -> any.is(Problem.class))
        .map(GrpcIT::unpacked)
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

  private StatusRuntimeException refused(SendRequest.Builder message) {
    return assertThrows(StatusRuntimeException.class, () -> mailbox().send(message.build()));
  }

  @Test
  void aMessageIsSentReceivedExtendedGivenBackAndAcknowledged() {
    Sent sent = mailbox().send(message("k").putAttrs("a", "b").build());
    assertFalse(sent.getDuplicate());
    assertTrue(mailbox().send(message("k").putAttrs("a", "b").build()).getDuplicate());
    Received first = receive();
    assertEquals(sent.getMsgId(), first.getEnvelope().getMsgId());
    assertEquals("body of k", first.getPayload().toString(UTF_8));
    assertEquals("b", first.getEnvelope().getAttrsOrThrow("a"));
    assertEquals(1, first.getEnvelope().getAttempt());
    String id = sent.getMsgId();
    Settled extended =
        mailbox()
            .extend(
                ExtendBatch.newBuilder()
                    .addExtends(Extend.newBuilder().setMsgId(id).setVisibilityMs(20_000))
                    .build());
    assertTrue(extended.getOutcomes(0).hasDone(), extended::toString);
    Settled nacked =
        mailbox()
            .nack(
                NackBatch.newBuilder()
                    .addNacks(
                        Nack.newBuilder()
                            .setMsgId(id)
                            .setReceipt(first.getReceipt())
                            .setReason("not now")
                            .setDelayMs(0))
                    .build());
    assertTrue(nacked.getOutcomes(0).hasDone(), nacked::toString);
    Received second = receive();
    assertEquals(2, second.getEnvelope().getAttempt());
    assertEquals("not now", second.getLastError());
    Settled acked =
        mailbox()
            .ack(
                AckBatch.newBuilder()
                    .addAcks(Ack.newBuilder().setMsgId(id).setReceipt(first.getReceipt()))
                    .addAcks(Ack.newBuilder().setMsgId(id).setReceipt(second.getReceipt()))
                    .build());
    assertEquals(
        Status.Code.FAILED_PRECONDITION.value(), acked.getOutcomes(0).getRefused().getCode());
    assertTrue(acked.getOutcomes(1).hasDone(), acked::toString);
  }

  @Test
  void bothDoorsHaveTheSameMailbox() throws IOException {
    Sent sent = mailbox().send(message("from-grpc").build());
    Message message = http.recv(topic).expect(200).messages().get(0);
    assertEquals(sent.getMsgId(), message.msgId());
    http.ack(message).expect(200);
    http.send(topic, "from-http", "other".getBytes(UTF_8)).expect(200);
    assertEquals("other", receive().getPayload().toString(UTF_8));
  }

  @Test
  void aBatchHasAResultForEachMessage() {
    Sent unused = mailbox().send(message("taken").build());
    SendBatchResponse response =
        mailbox()
            .sendBatch(
                SendBatchRequest.newBuilder()
                    .addMessages(message("new"))
                    .addMessages(message("taken").setPayload(ByteString.copyFromUtf8("other")))
                    .build());
    assertTrue(response.getOutcomes(0).hasSent());
    assertEquals(
        Status.Code.ALREADY_EXISTS.value(), response.getOutcomes(1).getRefused().getCode());
  }

  @Test
  void aFlippedBitIsARefusal() {
    StatusRuntimeException refused = refused(message("k").setPayloadHash("b3:" + "0".repeat(64)));
    assertEquals(Status.Code.INVALID_ARGUMENT, refused.getStatus().getCode());
    assertEquals("E_INTEGRITY", problem(refused).getCode());
  }

  @Test
  void aPayloadBeyondTheFrameIsRefused() {
    ByteString most = ByteString.copyFrom(new byte[1 << 20]);
    assertFalse(mailbox().send(message("most").setPayload(most).build()).getDuplicate());
    StatusRuntimeException refused =
        refused(message("more").setPayload(most.concat(ByteString.copyFrom(new byte[1]))));
    assertEquals(Status.Code.INVALID_ARGUMENT, refused.getStatus().getCode());
    assertEquals("E_FRAME_TOO_LARGE", problem(refused).getCode());
  }

  @Test
  void unknownFieldsAreRefused() {
    UnknownFieldSet more =
        UnknownFieldSet.newBuilder()
            .mergeField(999, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    StatusRuntimeException refused = refused(message("k").setUnknownFields(more));
    assertEquals("E_SCHEMA", problem(refused).getCode());
  }

  @Test
  void rightsAreThoseOfTheCapability() throws IOException {
    StatusRuntimeException without =
        assertThrows(
            StatusRuntimeException.class, () -> grpc.mailbox(null).send(message("k").build()));
    assertEquals(Status.Code.UNAUTHENTICATED, without.getStatus().getCode());
    assertEquals("missing", problem(without).getReason());
    String narrow = http.mint("ops = recv", "topic = " + topic);
    StatusRuntimeException denied =
        assertThrows(
            StatusRuntimeException.class, () -> grpc.mailbox(narrow).send(message("k").build()));
    assertEquals(Status.Code.PERMISSION_DENIED, denied.getStatus().getCode());
  }

  @Test
  void aRecvIsAnsweredBeforeItsDeadline() {
    int empty =
        grpc.mailbox()
            .withDeadlineAfter(2, TimeUnit.SECONDS)
            .recv(RecvRequest.newBuilder().setTopic(topic).setWaitMs(30_000).build())
            .getMessagesCount();
    assertEquals(0, empty);
    Sent unused = mailbox().send(message("k").build());
    assertEquals(1, receive().getEnvelope().getAttempt());
  }

  @Test
  void healthIsServingAndReflectionNamesTheMailbox() throws Exception {
    HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(grpc.channel());
    Deadline.in(PATIENCE)
        .await(
            () ->
                health.check(HealthCheckRequest.getDefaultInstance()).getStatus()
                    == ServingStatus.SERVING,
            () -> "not serving");
    CompletableFuture<String> services = new CompletableFuture<>();
    StreamObserver<ServerReflectionRequest> requests =
        ServerReflectionGrpc.newStub(grpc.channel())
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse response) {
                    services.complete(response.toString());
                  }

                  @Override
                  public void onError(Throwable failure) {
                    services.completeExceptionally(failure);
                  }

                  @Override
                  public void onCompleted() {}
                });
    requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
    assertTrue(services.get(20, TimeUnit.SECONDS).contains("mailbox.v1.Mailbox"));
    requests.onCompleted();
  }

  @Test
  void callsAreCountedByMethodAndStatus() throws IOException {
    Sent unused = mailbox().send(message("k").build());
    String metrics = http.get("/metrics").expect(200).text();
    assertTrue(
        metrics.contains("grpc_calls_total{code=\"OK\",method=\"Send\",mp_scope=\"application\"}"),
        metrics);
    assertTrue(metrics.contains("bound_capacity{bound=\"grpc_calls\""));
  }
}
