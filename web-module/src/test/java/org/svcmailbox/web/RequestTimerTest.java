package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.metrics.Sample;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.web.metrics.RequestTimer;

/** Each request is timed once, under its endpoint. */
class RequestTimerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String MESSAGE =
      "{\"topic\": \"orders\", \"payload\": \"AAEC\", \"idem_key\": \"k-1\"}";

  @SuppressWarnings("NullAway.Init")
  private TestServer server;

  @SuppressWarnings("NullAway.Init")
  private HttpCalls calls;

  @BeforeEach
  void open() throws ServletException {
    server = TestServer.open();
    calls = HttpCalls.to(server);
  }

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  private static double told(String op, String suffix) {
    return RequestTimer.times().distributions().stream()
        .filter(one -> one.tags().equals(Map.of("op", op)))
        .flatMap(one -> one.read().stream())
        .filter(sample -> sample.suffix().equals(suffix))
        .mapToDouble(Sample::value)
        .sum();
  }

  /** A client can read an answer before the request ends. */
  private static void awaitCount(String op, double count) {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (told(op, "_count") < count && System.nanoTime() - until < 0) {
      Thread.onSpinWait();
    }
    assertEquals(count, told(op, "_count"), op);
  }

  @Test
  void aRequestThatIsAnsweredAtOnceIsTimed() throws Exception {
    double health = told("other", "_count");
    double extend = told("extend", "_count");
    assertEquals(200, calls.call("GET", "/healthz").status());
    awaitCount("other", health + 1);
    assertEquals(400, calls.post("/v1/extend", "{}").status());
    awaitCount("extend", extend + 1);
    assertEquals(health + 1, told("other", "_count"));
  }

  @Test
  void aRequestThatIsAnsweredLaterIsTimedUntilThen() throws Exception {
    double before = told("send", "_count");
    double sum = told("send", "_sum");
    CompletableFuture<SendOutcome> outcome = new CompletableFuture<>();
    server.mailbox.onSend = request -> outcome;
    CompletableFuture<HttpResponse<String>> answer = calls.begin("/v1/send", MESSAGE);
    server.mailbox.next(SendRequest.class);
    assertEquals(before, told("send", "_count"));
    long since = System.nanoTime();
    while (System.nanoTime() - since < 20_000_000) {
      Thread.onSpinWait();
    }
    outcome.complete(new Accepted(MsgId.create(0, Instant.EPOCH), false));
    assertEquals(200, answer.join().statusCode());
    awaitCount("send", before + 1);
    assertTrue(told("send", "_sum") - sum >= 0.02);
  }

  @Test
  void requestsThatAreAnsweredBeforeTheirThreadLeavesThemAreTimedAllTheSame() throws Exception {
    double before = told("send", "_count");
    server.mailbox.onSend =
        request ->
            CompletableFuture.supplyAsync(
                () -> new Accepted(MsgId.create(0, Instant.EPOCH), false));
    for (int i = 0; i < 500; i++) {
      assertEquals(200, calls.post("/v1/send", MESSAGE).status());
    }
    awaitCount("send", before + 500);
  }

  /** Its length would hide how long requests take. */
  @Test
  void aStreamIsTimedUntilItOpens() throws Exception {
    String body = "{\"topic\": \"t\"}";
    double before = told("recv_stream", "_count");
    try (RawConnection client = RawConnection.to(server.address())) {
      client.send(
          RawConnection.head(
                  "/v1/recv/stream",
                  "Content-Type: application/json",
                  RawConnection.length(body.length()))
              + body);
      FakeStreams.Opened stream = server.streams.next();
      stream.awaitReady();
      assertEquals(before + 1, told("recv_stream", "_count"));
      client.hangUp();
      stream.isCut().get(10, TimeUnit.SECONDS);
    }
    assertEquals(400, calls.post("/v1/recv/stream", "{}").status());
    awaitCount("recv_stream", before + 2);
  }
}
