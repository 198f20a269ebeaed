package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.web.FakeMailbox.Recv;
import org.svcmailbox.web.HttpCalls.Answer;
import org.svcmailbox.web.servlet.LeasedBytes;

/** Receivers that do not read what they asked for. */
class SlowReceiversTest {
  /** Several times the threads that the server has. */
  private static final int MANY = 20;

  /** More than the sockets hold. */
  private static final int PAYLOAD = 6 << 20;

  /** Of an answer. */
  private static final int JSON = PAYLOAD / 3 * 4;

  /** Of {@link TestServer}. */
  private static final int THREADS = 8;

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String RECV = "{\"topic\": \"t\"}";

  private final List<RawConnection> stalled = new ArrayList<>();

  @AfterEach
  void hangUp() throws IOException {
    for (RawConnection client : stalled) {
      client.close();
    }
  }

  private static Delivered delivered(int bytes) {
    Envelope envelope =
        new Envelope(
            MsgId.parse("01ARZ3NDEKTSV4RRFFQ69G5FAV"),
            new TopicName("t"),
            Instant.EPOCH,
            new IdemKey("k"),
            Digest.ZERO,
            Attributes.NONE,
            CorrId.random(),
            0,
            1,
            1,
            Digest.ZERO,
            null);
    StoredMessage message =
        new StoredMessage(envelope, Payload.owning(new byte[bytes]), null, Instant.EPOCH);
    return new Delivered(
        List.of(new LeasedMessage(message, new Receipt("r"), Duration.ofSeconds(5))));
  }

  private Recv stall(TestServer server, String contentType, String body) throws Exception {
    RawConnection client = RawConnection.narrow(server.address());
    stalled.add(client);
    client.send(
        RawConnection.head(
                "/v1/recv",
                "Content-Type: " + contentType,
                "Mailbox-Topic: t",
                RawConnection.length(body.length()))
            + body);
    return server.mailbox.nextRecv();
  }

  private static void serve(TestServer server, int payload) {
    server.mailbox.onRecv = request -> CompletableFuture.completedStage(delivered(payload));
  }

  private static long held(TestServer server) {
    return (long) server.leased.metrics().get(0).now();
  }

  private static void awaitHeld(TestServer server, long wanted) {
    Deadline.in(PATIENCE)
        .await(() -> held(server) == wanted, () -> held(server) + " bytes are held");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theyHoldNoThread(boolean isOurServer) throws Exception {
    try (TestServer server = isOurServer ? TestServer.open() : TestServer.openElsewhere()) {
      serve(server, PAYLOAD);
      for (int i = 0; i < MANY; i++) {
        Recv unused = stall(server, "application/json", RECV);
      }
      Deadline.in(PATIENCE)
          .await(() -> held(server) > (long) THREADS * JSON, () -> held(server) + " are held");
      CompletableFuture<HttpResponse<String>> quick =
          HttpCalls.to(server)
              .begin("/v1/send", "{\"topic\": \"t\", \"payload\": \"AAEC\", \"idem_key\": \"k\"}");
      assertEquals(200, quick.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).statusCode());
      assertEquals(200, HttpCalls.to(server).call("GET", "/healthz").status());
    }
  }

  @Test
  void whatIsCutIsGivenBackOnceAndHeldNoLonger() throws Exception {
    List<Recv> recvs = new ArrayList<>();
    try (TestServer server = TestServer.open()) {
      serve(server, PAYLOAD);
      recvs.add(stall(server, "application/json", RECV));
      recvs.add(stall(server, "application/octet-stream", ""));
      for (Recv recv : recvs) {
        recv.isAbandoned().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
      awaitHeld(server, 0);
    }
    // Stream, server and container each report the end, one after the other.
    for (Recv recv : recvs) {
      assertEquals(1, recv.abandonments().availablePermits());
    }
  }

  @Test
  void whatIsReadIsNotGivenBack() throws Exception {
    try (TestServer server = TestServer.open()) {
      serve(server, PAYLOAD);
      Recv recv = stall(server, "application/json", RECV);
      RawConnection client = stalled.get(0);
      assertEquals(200, client.receive(PATIENCE).status());
      awaitHeld(server, 0);
      client.send(RawConnection.get("/healthz"));
      assertEquals(200, client.receive(PATIENCE).status());
      assertFalse(recv.isAbandoned().isDone());
    }
  }

  @Test
  void anAnswerBeyondTheBoundIsRefusedAndItsMessagesGivenBack() throws Exception {
    // Room for one in JSON.
    try (TestServer server = TestServer.open(new LeasedBytes(2L * PAYLOAD))) {
      serve(server, PAYLOAD);
      Recv first = stall(server, "application/json", RECV);
      Deadline.in(PATIENCE).await(() -> held(server) > 0, () -> "nothing is held");
      Answer refused = HttpCalls.to(server).post("/v1/recv", RECV);
      assertEquals(429, refused.status());
      assertEquals("recv_bytes", refused.json().path("reason").asText());
      Recv second = server.mailbox.nextRecv();
      assertTrue(second.isAbandoned().isDone());
      assertFalse(first.isAbandoned().isDone());
    }
  }
}
