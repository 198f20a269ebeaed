package org.svcmailbox.grpc.server;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.rpc.RetryInfo;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.RecvRequest;
import org.svcmailbox.proto.v1.RecvResponse;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.Sent;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.RawConnection;

/** Each bound one below its edge and one beyond it. */
class DoorBoundsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static Numbers numbers(int connections, int ofConnection, int calls, long unread) {
    Numbers usual = Numbers.STANDARD;
    return new Numbers(
        connections,
        ofConnection,
        calls,
        usual.window(),
        unread,
        usual.answerBytes(),
        usual.metadata(),
        usual.threads(),
        usual.ping(),
        usual.pingTimeout(),
        usual.leastPing(),
        usual.age(),
        usual.grace());
  }

  private static SendRequest message(int bytes) {
    return SendRequest.newBuilder()
        .setTopic("t")
        .setIdemKey("k")
        .setPayload(ByteString.copyFrom(new byte[bytes]))
        .build();
  }

  private static RecvRequest recv() {
    return RecvRequest.newBuilder().setTopic("t").setWaitMs(30_000).build();
  }

  private static boolean isWaitable(StatusRuntimeException refused) {
    com.google.rpc.Status status = requireNonNull(StatusProto.fromThrowable(refused));
    return status.getDetailsList().stream().anyMatch(any -> any.is(RetryInfo.class));
  }

  private static StatusRuntimeException thrown(Runnable call) {
    try {
      call.run();
    } catch (StatusRuntimeException e) {
      return e;
    }
    throw new AssertionError("the call succeeded");
  }

  private static void await(Deadline.Condition condition, OpenDoor door) {
    Deadline.in(PATIENCE).await(condition, () -> door.metrics().toString());
  }

  @Test
  void aConnectionBeyondTheBoundIsClosedAndRoomIsFoundAgain() throws IOException {
    try (OpenDoor door = new OpenDoor(numbers(2, 128, 1_024, 1 << 20))) {
      RawConnection first = RawConnection.to(door.address());
      RawConnection second = RawConnection.to(door.address());
      door.awaitMetric(2, "bound_used{bound=grpc_connections}");
      try (RawConnection third = RawConnection.to(door.address())) {
        assertEquals("", third.rest());
      }
      door.awaitMetric(1, "rejected_total{reason=grpc_connections}");
      first.close();
      second.close();
      door.awaitMetric(0, "bound_used{bound=grpc_connections}");
      assertNotNull(door.stub().send(message(1)));
    }
  }

  @Test
  void oneAddressHasItsShareOfTheConnections() throws IOException {
    Map<String, String> settings = Map.of("mailbox.max_conns_per_address", "1");
    try (OpenDoor door = new OpenDoor(Numbers.STANDARD, Optional.empty(), settings);
        RawConnection first = RawConnection.to(door.address())) {
      door.awaitMetric(1, "bound_used{bound=grpc_connections}");
      try (RawConnection second = RawConnection.to(door.address())) {
        assertEquals("", second.rest());
      }
      door.awaitMetric(1, "rejected_total{reason=address_conns}");
      assertFalse(first.isEnded());
    }
    Map<String, String> behind =
        Map.of("mailbox.max_conns_per_address", "1", "mailbox.trusted_proxies", "127.0.0.1/32");
    try (OpenDoor door = new OpenDoor(Numbers.STANDARD, Optional.empty(), behind);
        RawConnection first = RawConnection.to(door.address());
        RawConnection second = RawConnection.to(door.address())) {
      door.awaitMetric(2, "bound_used{bound=grpc_connections}");
      assertFalse(first.isEnded() || second.isEnded());
    }
  }

  @Test
  void aCallBeyondTheBoundIsRefusedWithATimeToRetry() {
    try (OpenDoor door = new OpenDoor(numbers(16, 128, 2, 1 << 20))) {
      List<CompletableFuture<RecvOutcome>> outcomes = hold(door);
      ManagedChannel channel = door.channel();
      var first = MailboxGrpc.newFutureStub(channel).recv(recv());
      var second = MailboxGrpc.newFutureStub(channel).recv(recv());
      await(() -> door.mailbox.requests.size() == 2, door);
      StatusRuntimeException refused =
          thrown(
              () -> {
                Sent unused = OpenDoor.stub(channel).send(message(1));
              });
      assertEquals(Status.Code.RESOURCE_EXHAUSTED, refused.getStatus().getCode());
      assertTrue(isWaitable(refused));
      door.awaitMetric(1, "rejected_total{reason=grpc_calls}");
      outcomes.forEach(outcome -> outcome.complete(Delivered.NONE));
      await(() -> first.isDone() && second.isDone(), door);
      door.awaitMetric(0, "bound_used{bound=grpc_calls}");
      assertNotNull(OpenDoor.stub(channel).send(message(1)));
    }
  }

  /** Keeps all RECVs open. */
  private static List<CompletableFuture<RecvOutcome>> hold(OpenDoor door) {
    List<CompletableFuture<RecvOutcome>> outcomes = new ArrayList<>();
    door.mailbox.onRecv =
        request -> {
          CompletableFuture<RecvOutcome> outcome = new CompletableFuture<>();
          synchronized (outcomes) {
            outcomes.add(outcome);
          }
          return outcome;
        };
    return outcomes;
  }

  @Test
  void aConnectionHasOnlySoManyCallsAndItsClientWaits() {
    try (OpenDoor door = new OpenDoor(numbers(16, 2, 1_024, 1 << 20))) {
      List<CompletableFuture<RecvOutcome>> outcomes = hold(door);
      ManagedChannel channel = door.channel();
      // The first call learns the bound from the server's settings.
      assertNotNull(OpenDoor.stub(channel).send(message(1)));
      door.mailbox.requests.clear();
      List<com.google.common.util.concurrent.ListenableFuture<RecvResponse>> calls =
          new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        calls.add(MailboxGrpc.newFutureStub(channel).recv(recv()));
      }
      await(() -> door.mailbox.requests.size() == 2, door);
      door.awaitMetric(2, "bound_used{bound=grpc_calls}");
      assertNotNull(door.stub().send(message(1)));
      door.awaitMetric(2, "bound_used{bound=grpc_calls}");
      synchronized (outcomes) {
        outcomes.get(0).complete(Delivered.NONE);
      }
      await(() -> outcomes.size() == 3, door);
      outcomes.forEach(outcome -> outcome.complete(Delivered.NONE));
      await(() -> calls.stream().allMatch(call -> call.isDone()), door);
    }
  }

  @Test
  void theLargestMessageIsReadAndALargerOneIsNeverRetried() {
    try (OpenDoor door = new OpenDoor(Numbers.STANDARD)) {
      int most = OpenDoor.MAX_FRAME + Numbers.ALLOWANCE;
      int around = message(most).getSerializedSize() - most;
      assertNotNull(door.stub().send(message(most - around)));
      StatusRuntimeException refused =
          thrown(
              () -> {
                Sent unused = door.stub().send(message(most - around + 1));
              });
      assertEquals(Status.Code.RESOURCE_EXHAUSTED, refused.getStatus().getCode());
      assertEquals(0, requireNonNull(StatusProto.fromThrowable(refused)).getDetailsCount());
      door.awaitMetric(1, "grpc_calls_total{method=Send, code=RESOURCE_EXHAUSTED}");
    }
  }

  /** A call whose request is sent in pieces, as a slow client does. */
  private static final class SlowSend {
    final BlockingQueue<Status> ends = new LinkedBlockingQueue<>();
    final BlockingQueue<Metadata> trailers = new LinkedBlockingQueue<>();
    final ClientCall<SendRequest, Sent> call;

    SlowSend(ManagedChannel channel) {
      // As a stream, whose headers are not kept until there is a message.
      call =
          channel.newCall(
              MailboxGrpc.getSendMethod().toBuilder().setType(MethodType.BIDI_STREAMING).build(),
              CallOptions.DEFAULT);
      call.start(
          new ClientCall.Listener<>() {
            @Override
            public void onClose(Status status, Metadata more) {
              trailers.add(more);
              ends.add(status);
            }
          },
          new Metadata());
      call.request(1);
    }

    Status end() throws InterruptedException {
      return requireNonNull(ends.poll(20, SECONDS), "the call goes on");
    }
  }

  /** A door with one thread, which a test can keep busy. */
  private static Numbers ofOneThread(long unread) {
    Numbers usual = Numbers.STANDARD;
    return new Numbers(
        usual.connections(),
        usual.callsOfConnection(),
        usual.calls(),
        usual.window(),
        unread,
        usual.answerBytes(),
        usual.metadata(),
        1,
        usual.ping(),
        usual.pingTimeout(),
        usual.leastPing(),
        usual.age(),
        usual.grace());
  }

  @Test
  void whatArrivesHasABoundForAllCallsTogether() throws InterruptedException {
    try (OpenDoor door = new OpenDoor(ofOneThread(250_000))) {
      List<SlowSend> sends = List.of(slow(door), slow(door), slow(door));
      await(() -> door.capabilities.presented.size() == 3, door);
      door.awaitMetric(3, "bound_used{bound=grpc_calls}");
      CompletableFuture<Caller> go = new CompletableFuture<>();
      door.capabilities.onAuthenticate = go::join;
      SlowSend busy = slow(door);
      await(() -> door.capabilities.presented.size() == 4, door);
      for (SlowSend send : sends) {
        send.call.sendMessage(message(100_000));
        send.call.halfClose();
      }
      // The bound is reached, and two messages fit.
      await(() -> door.metric("bound_used{bound=grpc_bytes}") > 200_000, door);
      door.awaitMetric(1, "rejected_total{reason=grpc_bytes}");
      go.complete(SampleCallers.OPERATOR);
      int refused = 0;
      for (SlowSend send : sends) {
        Status end = send.end();
        if (!end.isOk()) {
          assertEquals(Status.Code.RESOURCE_EXHAUSTED, end.getCode());
          assertTrue(isWaitable(end.asRuntimeException(requireNonNull(send.trailers.poll()))));
          refused++;
        }
      }
      assertEquals(1, refused);
      assertEquals(2, door.mailbox.requests.size(), "a refused call was served");
      door.awaitMetric(0, "bound_used{bound=grpc_bytes}");
      busy.call.cancel("over", null);
    }
  }

  /** Its handler would have all that it needs. */
  @Test
  void aRequestThatIsRefusedAfterItArrivedWholeIsNotServed() {
    try (OpenDoor door = new OpenDoor(ofOneThread(20))) {
      ManagedChannel channel = door.channel();
      Status refused =
          OpenDoor.refused(
              () -> {
                Sent unused = OpenDoor.stub(channel).send(message(100));
              });
      assertEquals(Status.Code.RESOURCE_EXHAUSTED, refused.getCode());
      // The one thread has served by then what came before.
      assertNotNull(OpenDoor.stub(channel).send(message(1)));
      assertEquals(1, door.mailbox.requests.size(), "a refused call was served");
    }
  }

  private static SlowSend slow(OpenDoor door) {
    return new SlowSend(door.channel());
  }

  @Test
  void aRequestThatArrivesTooSlowlyEnds() throws InterruptedException {
    Map<String, String> settings = Map.of("mailbox.read_timeout", "200ms");
    try (OpenDoor door = new OpenDoor(Numbers.STANDARD, Optional.empty(), settings)) {
      SlowSend never = new SlowSend(door.channel());
      Status end = never.end();
      assertEquals(Status.Code.DEADLINE_EXCEEDED, end.getCode());
      assertEquals("The request arrives too slowly", end.getDescription());
      assertTrue(door.mailbox.requests.isEmpty());
      door.awaitMetric(1, "grpc_calls_total{method=Send, code=DEADLINE_EXCEEDED}");
    }
  }

  @Test
  void compressedRequestsAreNotRead() {
    try (OpenDoor door = new OpenDoor(Numbers.STANDARD)) {
      Status refused =
          OpenDoor.refused(
              () -> {
                Sent unused = door.stub().withCompression("gzip").send(message(1_000));
              });
      assertEquals(Status.Code.UNIMPLEMENTED, refused.getCode());
      assertTrue(door.mailbox.requests.isEmpty());
    }
  }

  @Test
  void answersThatNobodyTakesHaveABound() {
    Numbers usual = Numbers.STANDARD;
    Numbers few =
        new Numbers(
            usual.connections(),
            usual.callsOfConnection(),
            usual.calls(),
            usual.window(),
            usual.unreadBytes(),
            0,
            usual.metadata(),
            usual.threads(),
            usual.ping(),
            usual.pingTimeout(),
            usual.leastPing(),
            usual.age(),
            usual.grace());
    try (OpenDoor door = new OpenDoor(few)) {
      // An answer without messages has no bytes.
      assertEquals(0, door.stub().recv(recv()).getMessagesCount());
      door.mailbox.onRecv = request -> CompletableFuture.completedStage(UnaryCallsTest.delivered());
      StatusRuntimeException refused =
          thrown(
              () -> {
                RecvResponse unused = door.stub().recv(recv());
              });
      assertEquals(Status.Code.RESOURCE_EXHAUSTED, refused.getStatus().getCode());
      door.awaitMetric(1, "rejected_total{reason=grpc_recv_bytes}");
      assertEquals(1, door.mailbox.abandoned.size());
    }
  }
}
