package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.KeyConflict;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.web.FakeMailbox.Recv;

/** Connections: bodies over the limit, clients that disconnect. */
class EndpointConnectionTest {
  private static final int PATIENCE_MILLIS = 10_000;
  private static final String HEAD =
      " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  private static final String WAIT = "{\"topic\": \"t\", \"wait_ms\": 30000}";

  private final TestServer server = TestServer.open();

  EndpointConnectionTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  private RawConnection connect() throws IOException {
    return RawConnection.to(server.address());
  }

  private static String post(String path, String body) {
    return "POST " + path + HEAD + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  private static void assertTooLarge(String response) {
    assertTrue(response.startsWith("HTTP/1.1 413 "), response);
    assertTrue(response.contains("E_FRAME_TOO_LARGE"), response);
    assertTrue(response.contains("Connection: close"), response);
  }

  private static Delivered delivered(byte[] bytes) {
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
    StoredMessage message = new StoredMessage(envelope, Payload.owning(bytes), null, Instant.EPOCH);
    return new Delivered(
        List.of(new LeasedMessage(message, new Receipt("r"), Duration.ofSeconds(5))));
  }

  @Test
  void aBodyThatDeclaresItselfTooLargeIsRefusedBeforeItIsSent() throws IOException {
    for (String length : List.of("275481", "5000000000", "99999999999999999")) {
      try (RawConnection client = connect()) {
        client.send("POST /v1/send" + HEAD + "Content-Length: " + length + "\r\n\r\n");
        assertTooLarge(client.rest());
      }
    }
    assertTrue(server.mailbox.isUntouched());
  }

  /** More of them than the server has threads. */
  @Test
  void clientsThatAreRefusedAndStaySilentHoldNoThread() throws Exception {
    List<RawConnection> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 2 * TestServer.THREADS; i++) {
        RawConnection client = connect();
        silent.add(client);
        client.send("POST /v1/send" + HEAD + "Content-Length: 275481\r\n\r\n");
        assertTrue(client.line().startsWith("HTTP/1.1 413 "));
      }
      assertEquals(200, HttpCalls.to(server).call("GET", "/healthz").status());
      assertEquals(400, HttpCalls.to(server).post("/v1/send", "{").status());
    } finally {
      for (RawConnection client : silent) {
        client.close();
      }
    }
  }

  @Test
  void aClientThatAsksFirstIsRefusedBeforeItSends() throws IOException {
    try (RawConnection client = connect()) {
      client.send(
          "POST /v1/send" + HEAD + "Content-Length: 300000\r\nExpect: 100-continue\r\n\r\n");
      assertTooLarge(client.rest());
    }
  }

  @Test
  void aBodyOfUnknownLengthIsRefusedBeforeItEnds() throws IOException {
    String chunk = "8000\r\n" + "x".repeat(0x8000) + "\r\n";
    try (RawConnection client = connect()) {
      client.send("POST /v1/send" + HEAD + "Transfer-Encoding: chunked\r\n\r\n");
      for (int sent = 0; sent <= 275_480; sent += 0x8000) {
        client.send(chunk);
      }
      assertTrue(client.line().startsWith("HTTP/1.1 413 "));
    }
    assertTrue(server.mailbox.isUntouched());
  }

  @Test
  void aBodyThatEndsEarlyIsNeverHandedOn() throws Exception {
    try (RawConnection client = connect()) {
      client.send("POST /v1/ack" + HEAD + "Content-Length: 100\r\n\r\n{");
    }
    // The server still serves others and passed nothing of the broken request on.
    HttpCalls.to(server).post("/v1/recv", "{\"topic\": \"t\"}");
    server.mailbox.next(org.svcmailbox.core.delivery.RecvRequest.class);
    assertTrue(server.mailbox.isUntouched());
  }

  @Test
  void aClientThatHangsUpWhileItWaitsIsGivenUpAtOnce() throws Exception {
    CompletableFuture<RecvOutcome> outcome = new CompletableFuture<>();
    server.mailbox.onRecv = request -> outcome;
    Recv recv;
    try (RawConnection client = connect()) {
      client.send(post("/v1/recv", WAIT));
      recv = server.mailbox.nextRecv();
      assertFalse(recv.isAbandoned().isDone());
    }
    recv.isAbandoned().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    // Messages that arrive for it later are given back too.
    recv.abandonments().acquire();
    outcome.complete(delivered(new byte[1]));
    assertTrue(recv.abandonments().tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
  }

  @Test
  void aClientThatWaitsOnIsNot() throws Exception {
    CompletableFuture<RecvOutcome> outcome = new CompletableFuture<>();
    server.mailbox.onRecv = request -> outcome;
    try (RawConnection client = connect()) {
      client.send(post("/v1/recv", WAIT));
      Recv recv = server.mailbox.nextRecv();
      outcome.complete(delivered(new byte[1]));
      assertTrue(client.line().startsWith("HTTP/1.1 200 "));
      assertEquals(0, recv.abandonments().availablePermits());
    }
  }

  @Test
  void messagesWhoseAnswerCannotBeWrittenAreGivenBack() throws Exception {
    CompletableFuture<RecvOutcome> outcome = new CompletableFuture<>();
    server.mailbox.onRecv = request -> outcome;
    HttpCalls http2 = HttpCalls.http2To(server); // where nobody watches the connection
    CompletableFuture<HttpResponse<String>> response = upgraded(http2).begin("/v1/recv", WAIT);
    Recv recv = server.mailbox.nextRecv();
    assertTrue(response.cancel(true));
    assertTrue(serverHasSeenTheReset(http2));
    outcome.complete(delivered(new byte[1]));
    recv.isAbandoned().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private HttpCalls upgraded(HttpCalls http2) throws Exception {
    assertEquals(HttpClient.Version.HTTP_2, http2.call("GET", "/healthz").response().version());
    return http2;
  }

  /** The server processes the frames of a connection in order. */
  private boolean serverHasSeenTheReset(HttpCalls http2) throws Exception {
    return http2.call("GET", "/healthz").status() == 200;
  }

  @Test
  void aSlowClientDelaysOnlyItself() throws Exception {
    CompletableFuture<RecvOutcome> outcome = new CompletableFuture<>();
    server.mailbox.onRecv = request -> outcome;
    Recv recv;
    try (RawConnection client = connect()) {
      client.send(post("/v1/recv", WAIT));
      recv = server.mailbox.nextRecv();
      // More than any socket buffers: the write stays incomplete until the client reads.
      Delivered large = delivered(new byte[64 * 1024 * 1024]);
      assertTimeoutPreemptively(Duration.ofSeconds(30), () -> outcome.complete(large));
      assertTrue(client.line().startsWith("HTTP/1.1 200 "));
      assertEquals(200, HttpCalls.to(server).call("GET", "/healthz").status());
    }
    recv.isAbandoned().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** The client keeps sending requests without reading answers until all buffers are full. */
  @Test
  void aClientThatReadsNothingBlocksNoThreadOfTheService() throws Exception {
    BlockingQueue<CompletableFuture<SendOutcome>> begun = new LinkedBlockingQueue<>();
    server.mailbox.onSend =
        request -> {
          CompletableFuture<SendOutcome> outcome = new CompletableFuture<>();
          begun.add(outcome);
          return outcome;
        };
    String request = post("/v1/send/batch", batchOf(100));
    int requests = 1000;
    try (RawConnection client = connect()) {
      // Ends with the socket.
      new Thread(() -> sendUntilRefused(client, request, requests)).start();
      int answered = 0;
      long slowest = 0;
      CompletableFuture<SendOutcome> outcome = begun.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      while (outcome != null) {
        long since = System.nanoTime();
        outcome.complete(new KeyConflict(MsgId.create(0, Instant.EPOCH)));
        slowest = Math.max(slowest, System.nanoTime() - since);
        answered++;
        outcome = begun.poll(1, TimeUnit.SECONDS);
      }
      assertTrue(answered < requests * 100, "the client's buffers took everything");
      // A thread that is blocked stays so until the client reads.
      assertTrue(
          slowest < TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS),
          slowest + " ns to bring an outcome");
      assertEquals(200, HttpCalls.to(server).call("GET", "/healthz").status());
    }
  }

  private static void sendUntilRefused(RawConnection client, String request, int times) {
    try {
      for (int i = 0; i < times; i++) {
        client.send(request);
      }
    } catch (IOException e) {
      // Expected when the test closes the socket.
    }
  }

  private static String batchOf(int size) {
    return Stream.generate(() -> "{\"topic\": \"t\", \"payload\": \"AAEC\", \"idem_key\": \"k\"}")
        .limit(size)
        .collect(Collectors.joining(",", "{\"messages\": [", "]}"));
  }
}
