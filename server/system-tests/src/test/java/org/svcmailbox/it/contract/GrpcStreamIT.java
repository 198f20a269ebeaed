package org.svcmailbox.it.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.envelope.Blake3;
import org.svcmailbox.it.client.Answers;
import org.svcmailbox.it.client.FlippingProxy;
import org.svcmailbox.it.client.FlippingProxy.Direction;
import org.svcmailbox.it.client.GrpcClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.proto.v1.Chunk;
import org.svcmailbox.proto.v1.Credit;
import org.svcmailbox.proto.v1.Delivery;
import org.svcmailbox.proto.v1.Open;
import org.svcmailbox.proto.v1.Received;
import org.svcmailbox.proto.v1.RecvCommand;
import org.svcmailbox.proto.v1.RecvEvent;
import org.svcmailbox.proto.v1.RecvRequest;
import org.svcmailbox.proto.v1.RecvResponse;
import org.svcmailbox.proto.v1.Resume;
import org.svcmailbox.proto.v1.SendFrame;
import org.svcmailbox.proto.v1.SendHead;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.SendResult;
import org.svcmailbox.proto.v1.Sent;

/** Streams over gRPC: their ends, and a flipped bit on the wire. */
@ContractTest
class GrpcStreamIT {
  /** As a payload, it is found on the wire. */
  private static final byte[] MARKER = "<flip the last bit of this".getBytes(UTF_8);

  private final MailboxServer server;
  private final GrpcClient grpc;
  private final String topic = TestTopics.fresh("grpc-stream");

  GrpcStreamIT(MailboxServer server) throws IOException {
    this.server = server;
    this.grpc = GrpcClient.of(server);
  }

  @AfterEach
  void close() {
    grpc.close();
  }

  private SendRequest.Builder message(String key, byte[] payload) {
    return SendRequest.newBuilder()
        .setTopic(topic)
        .setIdemKey(key)
        .setPayload(ByteString.copyFrom(payload));
  }

  private void send(String key) {
    Sent sent = grpc.mailbox().send(message(key, MARKER).build());
    assertTrue(sent.isInitialized());
  }

  private Open.Builder open() {
    return Open.newBuilder().setTopic(topic).setVisibilityMs(60_000);
  }

  private static StreamObserver<RecvCommand> receive(
      GrpcClient client, Open.Builder open, Answers<RecvEvent> events) throws InterruptedException {
    StreamObserver<RecvCommand> commands = client.streams().recvStream(events);
    commands.onNext(RecvCommand.newBuilder().setOpen(open).build());
    commands.onNext(
        RecvCommand.newBuilder()
            .setCredit(Credit.newBuilder().setMessages(10).setBytes(1 << 20))
            .build());
    return commands;
  }

  private Received recv() {
    return grpc.mailbox()
        .recv(RecvRequest.newBuilder().setTopic(topic).setWaitMs(10_000).build())
        .getMessages(0);
  }

  @Test
  void aStreamSaysGoodbyeBeforeItsDeadline() throws Exception {
    Answers<RecvEvent> events = new Answers<>();
    long began = System.nanoTime();
    var commands = grpc.streams().withDeadlineAfter(4, TimeUnit.SECONDS).recvStream(events);
    commands.onNext(RecvCommand.newBuilder().setOpen(open()).build());
    assertTrue(events.next().hasOpened());
    assertEquals("deadline", events.next().getGoodbye().getReason());
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    assertTrue(millis > 2_000 && millis < 4_000, millis + " ms");
    commands.onCompleted();
    assertTrue(events.end().isOk());
  }

  @Test
  void aStreamThatIsResetGoesOnWithoutASpentAttempt() throws Exception {
    send("key");
    Answers<RecvEvent> cut = new Answers<>();
    var commands = receive(grpc, open(), cut);
    String stream = cut.next().getOpened().getStream();
    assertEquals(1, cut.next().getDelivery().getN());
    commands.onError(Status.CANCELLED.asException());
    Answers<RecvEvent> events = new Answers<>();
    Resume.Builder resume = Resume.newBuilder().setStream(stream).setLast(0);
    var resumed = receive(grpc, open().setResume(resume), events);
    assertTrue(events.next().hasOpened());
    Delivery delivery = events.next().getDelivery();
    assertEquals(1, delivery.getMessage().getEnvelope().getAttempt());
    resumed.onError(Status.CANCELLED.asException());
  }

  @Test
  void aRecvThatIsResetTakesNoMessage() throws Exception {
    Answers<RecvResponse> never = new Answers<>();
    var context = io.grpc.Context.current().withCancellation();
    context.run(
        () ->
            grpc.streams()
                .recv(RecvRequest.newBuilder().setTopic(topic).setWaitMs(30_000).build(), never));
    // A call after it on the same connection, so that the RECV has begun.
    assertEquals(
        0,
        grpc.mailbox().recv(RecvRequest.newBuilder().setTopic(topic).build()).getMessagesCount());
    context.cancel(null);
    assertEquals(Status.Code.CANCELLED, never.end().getCode());
    send("key");
    assertEquals(1, recv().getEnvelope().getAttempt());
  }

  private FlippingProxy flipping(Direction direction) throws IOException {
    return new FlippingProxy(server.port(GrpcClient.PORT), MARKER, direction);
  }

  private static String hash(byte[] payload) {
    return Blake3.of(payload).toString();
  }

  @Test
  void aBitThatFlipsOnItsWayToTheServerIsARefusal() throws Exception {
    try (FlippingProxy proxy = flipping(Direction.TO_SERVER);
        GrpcClient client = GrpcClient.through(proxy.port(), server)) {
      SendRequest message = message("key", MARKER).setPayloadHash(hash(MARKER)).build();
      StatusRuntimeException refused =
          assertThrows(StatusRuntimeException.class, () -> client.mailbox().send(message));
      assertIntegrity(requireNonNull(StatusProto.fromThrowable(refused)));
      assertChunksAreChecked(client);
    }
    assertEquals(
        0,
        grpc.mailbox().recv(RecvRequest.newBuilder().setTopic(topic).build()).getMessagesCount());
  }

  private void assertChunksAreChecked(GrpcClient client) throws Exception {
    Answers<SendResult> results = new Answers<>();
    var frames = client.streams().sendStream(results);
    frames.onNext(
        SendFrame.newBuilder()
            .setId(1)
            .setHead(
                SendHead.newBuilder()
                    .setMessage(message("chunked", new byte[0]).setPayloadHash(hash(MARKER)))
                    .setSize(MARKER.length))
            .build());
    frames.onNext(
        SendFrame.newBuilder()
            .setId(1)
            .setChunk(Chunk.newBuilder().setData(ByteString.copyFrom(MARKER)).setLast(true))
            .build());
    assertIntegrity(results.next().getOutcomes(0).getRefused());
    frames.onCompleted();
    assertTrue(results.end().isOk());
  }

  private static void assertIntegrity(com.google.rpc.Status refused) {
    assertEquals(Status.Code.INVALID_ARGUMENT.value(), refused.getCode());
    assertTrue(refused.toString().contains("E_INTEGRITY"), refused::toString);
  }

  @Test
  void aBitThatFlipsOnItsWayToTheClientShowsInTheHash() throws Exception {
    send("key");
    try (FlippingProxy proxy = flipping(Direction.TO_CLIENT);
        GrpcClient client = GrpcClient.through(proxy.port(), server)) {
      Answers<RecvEvent> events = new Answers<>();
      var commands = receive(client, open(), events);
      String stream = events.next().getOpened().getStream();
      assertFlipped(events.next().getDelivery().getMessage());
      commands.onError(Status.CANCELLED.asException());
      Answers<RecvEvent> back = new Answers<>();
      Resume.Builder resume = Resume.newBuilder().setStream(stream).setLast(0);
      var unused = receive(grpc, open().setWindow(1).setResume(resume), back);
      assertTrue(back.next().hasOpened());
      Received whole = back.next().getDelivery().getMessage();
      assertEquals(hash(MARKER), whole.getEnvelope().getPayloadHash());
      assertEquals(1, whole.getEnvelope().getAttempt());
    }
  }

  private static void assertFlipped(Received message) {
    byte[] payload = message.getPayload().toByteArray();
    assertEquals(MARKER.length, payload.length);
    assertNotEquals(hash(payload), message.getEnvelope().getPayloadHash());
  }
}
