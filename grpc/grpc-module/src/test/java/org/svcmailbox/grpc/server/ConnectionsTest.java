package org.svcmailbox.grpc.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.grpc.server.RawHttp2.Frame;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.RecvRequest;
import org.svcmailbox.proto.v1.RecvResponse;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.test.concurrent.Deadline;

/** Signs of life, and the age of connections. */
class ConnectionsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration LONG = Duration.ofHours(1);

  /** gRPC takes no less. */
  private static final Duration LEAST_AGE = Duration.ofSeconds(1);

  private static final int ENHANCE_YOUR_CALM = 11;
  private static final String CONNECTIONS = "bound_used{bound=grpc_connections}";

  private static OpenDoor door(
      Duration ping, Duration pingTimeout, Duration leastPing, Duration age, Duration grace) {
    Numbers usual = Numbers.STANDARD;
    return new OpenDoor(
        new Numbers(
            usual.connections(),
            usual.callsOfConnection(),
            usual.calls(),
            usual.window(),
            usual.unreadBytes(),
            usual.answerBytes(),
            usual.metadata(),
            usual.threads(),
            ping,
            pingTimeout,
            leastPing,
            age,
            grace));
  }

  private static void await(Deadline.Condition condition, OpenDoor door) {
    Deadline.in(PATIENCE).await(condition, () -> door.metrics().toString());
  }

  private static SendRequest message() {
    return SendRequest.newBuilder().setTopic("t").setIdemKey("k").build();
  }

  private static RecvRequest recv() {
    return RecvRequest.newBuilder().setTopic("t").setWaitMs(30_000).build();
  }

  @Test
  void aClientThatPingsTooOftenIsSentAway() throws IOException {
    try (OpenDoor door = new OpenDoor(Numbers.STANDARD);
        RawHttp2 client = new RawHttp2(door.address())) {
      for (int i = 0; i < 4; i++) {
        client.ping();
      }
      Frame away = client.next(RawHttp2.GOAWAY);
      assertEquals(ENHANCE_YOUR_CALM, away.error());
      String said = away.payload().toString(StandardCharsets.ISO_8859_1);
      assertTrue(said.endsWith("too_many_pings"), said);
      client.awaitEnd();
      door.awaitMetric(0, CONNECTIONS);
    }
  }

  @Test
  void aClientThatPingsAsOftenAsItMayIsAnswered() throws IOException {
    try (OpenDoor door = door(LONG, LONG, Duration.ZERO, LONG, LONG);
        RawHttp2 client = new RawHttp2(door.address())) {
      for (int i = 0; i < 20; i++) {
        client.ping();
        assertEquals(RawHttp2.ACKNOWLEDGED, client.next(RawHttp2.PING).flags());
      }
    }
  }

  @Test
  void aConnectionThatGivesNoSignOfLifeIsClosed() throws IOException {
    Duration soon = Duration.ofMillis(200);
    try (OpenDoor door = door(soon, soon, LONG, LONG, LONG);
        RawHttp2 client = new RawHttp2(door.address())) {
      assertEquals(0, client.next(RawHttp2.PING).flags());
      client.awaitEnd();
      door.awaitMetric(0, CONNECTIONS);
    }
  }

  @Test
  void aConnectionThatAnswersPingsStays() throws IOException {
    try (OpenDoor door = door(Duration.ofMillis(50), PATIENCE, LONG, LONG, LONG);
        RawHttp2 client = new RawHttp2(door.address())) {
      // The second comes only after the answer to the first; gRPC sends one every 10 s at most.
      for (int i = 0; i < 2; i++) {
        Frame ping = client.next(RawHttp2.PING);
        client.send(RawHttp2.PING, RawHttp2.ACKNOWLEDGED, ping.payload().toByteArray());
      }
      door.awaitMetric(1, CONNECTIONS);
    }
  }

  @Test
  void anOldConnectionTakesNoMoreCallsAndItsOpenOnesEnd() throws Exception {
    try (OpenDoor door = door(LONG, LONG, LONG, LEAST_AGE, LONG)) {
      CompletableFuture<RecvOutcome> outcome = new CompletableFuture<>();
      door.mailbox.onRecv = request -> outcome;
      ManagedChannel channel = door.channel();
      var held = MailboxGrpc.newFutureStub(channel).recv(recv());
      await(() -> !door.mailbox.requests.isEmpty(), door);
      await(
          () -> {
            assertNotNull(OpenDoor.stub(channel).send(message()));
            return door.metric(CONNECTIONS) > 1;
          },
          door);
      outcome.complete(Delivered.NONE);
      RecvResponse answer = held.get(20, SECONDS);
      assertEquals(0, answer.getMessagesCount());
    }
  }

  @Test
  void aCallThatOutlastsTheGraceOfItsConnectionIsCancelled() throws Exception {
    try (OpenDoor door = door(LONG, LONG, LONG, LEAST_AGE, Duration.ofMillis(200))) {
      door.mailbox.onRecv = request -> new CompletableFuture<>();
      Status end =
          OpenDoor.refused(
              () -> {
                RecvResponse unused = door.stub().recv(recv());
              });
      assertEquals(Status.Code.UNAVAILABLE, end.getCode());
      assertNotNull(door.mailbox.abandoned.poll(20, SECONDS));
      door.awaitMetric(0, "bound_used{bound=grpc_calls}");
    }
  }
}
