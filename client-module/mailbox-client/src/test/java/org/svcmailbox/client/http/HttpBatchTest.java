package org.svcmailbox.client.http;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.svcmailbox.client.KeyConflictException;
import org.svcmailbox.client.MailboxClosedException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxException;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.test.concurrent.OwnThread;

/** Many sends at a time: how they are gathered, and that each has a result of its own. */
@Timeout(60)
class HttpBatchTest {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e473%d-00f067aa0ba902b7-01";

  private final HttpFixture fixture = new HttpFixture();
  private final ScriptedService service = fixture.service;
  private final CountDownLatch gate = new CountDownLatch(1);

  HttpBatchTest() throws Exception {}

  @AfterEach
  void close() {
    gate.countDown();
    fixture.close();
  }

  private static Outgoing<String, Object> message(int i) {
    return Outgoing.builder("apple " + i).key("key-" + i).build();
  }

  private static List<Outgoing<String, Object>> messages(int count) {
    return IntStream.range(0, count).mapToObj(HttpBatchTest::message).toList();
  }

  /** The next requests are answered as ever, once the gate is open. */
  private void holdNext(int requests) {
    for (int i = 0; i < requests; i++) {
      service.next(
          (exchange, request) -> {
            gate.await();
            service.asEver().answer(exchange, request);
          });
    }
  }

  private static List<CompletableFuture<Sent>> sendAsync(
      HttpMailbox<String, String> mailbox, int from, int to) {
    List<CompletableFuture<Sent>> stages = new ArrayList<>();
    for (int i = from; i < to; i++) {
      stages.add(mailbox.sendAsync(message(i)).toCompletableFuture());
    }
    return stages;
  }

  /** Sends until all requests are out; they wait for the gate. */
  private List<CompletableFuture<Sent>> fillRequests(HttpMailbox<String, String> mailbox) {
    holdNext(HttpDriver.MAX_REQUESTS);
    List<CompletableFuture<Sent>> stages = new ArrayList<>();
    for (int i = 0; i < HttpDriver.MAX_REQUESTS; i++) {
      stages.addAll(sendAsync(mailbox, i, i + 1));
      service.awaitRequest(i);
    }
    return stages;
  }

  private List<Integer> batchSizes() {
    return service.requests().stream()
        .map(request -> request.json().path("messages"))
        .map(elements -> elements.isMissingNode() ? 1 : elements.size())
        .toList();
  }

  @Test
  void aBatchIsOneRequestWithATraceForEach() {
    List<SendResult> results =
        fixture
            .open()
            .sendAll(
                List.of(
                    Outgoing.builder("apple").key("a").traceparent(TRACE.formatted(1)).build(),
                    Outgoing.builder("pear")
                        .key("b")
                        .traceparent(TRACE.formatted(2))
                        .tracestate("b=2")
                        .build(),
                    Outgoing.builder("plum").key("a").build()));

    assertEquals(new Sent("id-a", false), results.get(0).orThrow());
    assertEquals(new Sent("id-b", false), results.get(1).orThrow());
    assertEquals(new Sent("id-a", true), results.get(2).orThrow());
    assertEquals("/v1/send/batch", service.request(0).path());
    JsonNode elements = service.request(0).json().path("messages");
    assertEquals(TRACE.formatted(1), elements.path(0).path("traceparent").asText());
    assertEquals(TRACE.formatted(2), elements.path(1).path("traceparent").asText());
    assertFalse(elements.path(2).has("traceparent"));
    assertFalse(elements.path(0).has("tracestate"));
    assertEquals("b=2", elements.path(1).path("tracestate").asText());
    assertEquals("pear", ScriptedService.text(elements.path(1)));
  }

  @Test
  void onlyWhatFailedIsRepeated() {
    service.next(
        200,
        """
        {"results": [
          {"msg_id": "a", "duplicate": false},
          {"error": {"status": 429, "code": "E_SATURATED", "retry_after_ms": 1}},
          {"error": {"status": 409, "code": "E_DUPLICATE", "detail": "taken"}},
          {"error": {"status": 503, "code": "E_UNAVAILABLE", "reason": "broker_away"}}]}
        """);

    List<SendResult> results = fixture.open().sendAll(messages(4));

    assertEquals("a", results.get(0).orThrow().id());
    assertEquals("id-key-1", results.get(1).orThrow().id());
    assertThrows(KeyConflictException.class, results.get(2)::orThrow);
    assertEquals("id-key-3", results.get(3).orThrow().id());
    JsonNode first = service.request(0).json().path("messages");
    JsonNode again = service.request(1).json().path("messages");
    assertEquals(List.of(4, 2), batchSizes());
    assertEquals(first.path(1), again.path(0));
    assertEquals(first.path(3), again.path(1));
  }

  @Test
  void aLostBatchIsRepeatedWhole() {
    service.next(service.lost()).next(503, "").next(200, "{\"results\":[]}");

    List<SendResult> results = fixture.open().sendAll(messages(3));

    assertTrue(results.stream().allMatch(result -> result.orThrow().duplicate()));
    assertEquals(List.of(3, 3, 3, 3), batchSizes());
    assertEquals(
        1, service.requests().stream().map(ScriptedService.Request::body).distinct().count());
    assertEquals(3, service.messages());
  }

  @Test
  void aMalformedBatchIsRepeatedSingly() {
    service
        .nextProblem(400, "E_SCHEMA", ",\"detail\":\"messages[1] is malformed\"")
        .next(service.asEver())
        .nextProblem(400, "E_SCHEMA", ",\"detail\":\"malformed\"")
        .next(503, "");

    List<SendResult> results = fixture.open().sendAll(messages(3));

    assertEquals("id-key-0", results.get(0).orThrow().id());
    assertThrows(IllegalArgumentException.class, results.get(1)::orThrow);
    assertEquals("id-key-2", results.get(2).orThrow().id());
    assertEquals(List.of(3, 1, 1, 1, 1), batchSizes());
  }

  @Test
  void aBatchThatIsTooLargeForTheServiceIsRepeatedSingly() {
    service.nextProblem(413, "E_FRAME_TOO_LARGE", "");
    fixture.open().sendAll(messages(2)).forEach(SendResult::orThrow);
    assertEquals(List.of(2, 1, 1), batchSizes());
  }

  @Test
  void aRefusedBatchFailsEachMessage() {
    service.nextProblem(403, "E_CAP_SCOPE", "");
    List<SendResult> results = fixture.open().sendAll(messages(2));
    results.forEach(result -> assertThrows(MailboxException.class, result::orThrow));
    assertEquals(1, service.requests().size());
  }

  @Test
  void aBatchHoldsAMebibyteOfPayload() {
    Outgoing<String, Object> half = Outgoing.of("x".repeat(1 << 19));
    Outgoing<String, Object> one = Outgoing.of("x");

    fixture.open().sendAll(List.of(half, half, one, one)).forEach(SendResult::orThrow);

    assertEquals(List.of(2, 2), batchSizes());
  }

  @Test
  void messagesGatherWhileFourRequestsAreOut() throws Exception {
    HttpMailbox<String, String> mailbox = fixture.open();
    List<CompletableFuture<Sent>> stages = fillRequests(mailbox);
    stages.addAll(sendAsync(mailbox, 4, 304));
    assertEquals(4, service.requests().size());

    gate.countDown();

    Set<String> ids = new TreeSet<>();
    for (CompletableFuture<Sent> stage : stages) {
      ids.add(stage.get(10, SECONDS).id());
    }
    assertEquals(304, ids.size());
    assertEquals(List.of(1, 1, 1, 1, 100, 100, 100), batchSizes());
  }

  @Test
  void gatheredBatchesHoldAMebibyteOfPayload() throws Exception {
    HttpMailbox<String, String> mailbox = fixture.open();
    List<CompletableFuture<Sent>> stages = fillRequests(mailbox);
    for (int i = 0; i < 4; i++) {
      String body = "x".repeat(i == 3 ? 1 : 1 << 19);
      stages.add(mailbox.sendAsync(Outgoing.of(body)).toCompletableFuture());
    }

    gate.countDown();

    for (CompletableFuture<Sent> stage : stages) {
      stage.get(10, SECONDS);
    }
    assertEquals(Set.of(1, 2), Set.copyOf(batchSizes()));
    assertEquals(6, batchSizes().size());
  }

  @Test
  void aFullBufferRefuses() throws Exception {
    HttpMailbox<String, String> mailbox = fixture.open(builder -> builder.buffer(3, 2 << 20));
    holdNext(1);
    List<CompletableFuture<Sent>> stages = sendAsync(mailbox, 0, 1);
    service.awaitRequest(0);
    holdNext(3);
    stages.addAll(sendAsync(mailbox, 1, 3));

    CompletableFuture<Sent> refused = sendAsync(mailbox, 3, 4).get(0);

    assertTrue(refused.isCompletedExceptionally());
    ExecutionException thrown = assertThrows(ExecutionException.class, refused::get);
    assertInstanceOf(MailboxFullException.class, thrown.getCause());
    gate.countDown();
    for (CompletableFuture<Sent> stage : stages) {
      stage.get(10, SECONDS);
    }
    assertEquals("id-key-9", sendAsync(mailbox, 9, 10).get(0).get(10, SECONDS).id());
  }

  @Test
  void aBufferIsBoundedInBytesToo() {
    HttpMailbox<String, String> mailbox = fixture.open(builder -> builder.buffer(1_000, 2 << 20));
    holdNext(2);
    Outgoing<String, Object> large = Outgoing.of("x".repeat(1 << 20));
    CompletableFuture<Sent> first = mailbox.sendAsync(large).toCompletableFuture();
    CompletableFuture<Sent> second = mailbox.sendAsync(large).toCompletableFuture();
    assertFalse(first.isDone());
    assertTrue(second.isCompletedExceptionally());
  }

  @Test
  void aLingeringBatchGoesOutWhenItsTimeIsOver() throws Exception {
    VirtualClock clock = new VirtualClock();
    HttpMailbox<String, String> mailbox =
        fixture.open(builder -> builder.clock(clock).linger(Duration.ofMillis(20)));
    List<CompletableFuture<Sent>> stages = sendAsync(mailbox, 0, 3);
    clock.awaitWaiters(3);
    clock.advance(Duration.ofMillis(19));
    clock.awaitWaiters(3);
    assertEquals(0, service.requests().size());

    clock.advance(Duration.ofMillis(1));

    for (CompletableFuture<Sent> stage : stages) {
      stage.get(10, SECONDS);
    }
    assertEquals(List.of(3), batchSizes());
  }

  @Test
  void aLingeringBatchGoesOutWhenItIsFull() throws Exception {
    HttpMailbox<String, String> mailbox =
        fixture.open(
            builder -> builder.linger(Duration.ofHours(1)).limits(changed -> changed.maxBatch(3)));
    for (CompletableFuture<Sent> stage : sendAsync(mailbox, 0, 3)) {
      stage.get(10, SECONDS);
    }
    assertEquals(List.of(3), batchSizes());
  }

  @Test
  void closingSendsWhatLingers() throws Exception {
    HttpMailbox<String, String> mailbox =
        fixture.open(builder -> builder.linger(Duration.ofHours(1)));
    List<CompletableFuture<Sent>> stages = sendAsync(mailbox, 0, 3);

    mailbox.close();

    for (CompletableFuture<Sent> stage : stages) {
      assertTrue(stage.isDone());
      assertFalse(stage.get().duplicate());
    }
  }

  /** Ten seconds of the clock: what is out is unknown, what waits was never sent. */
  @Test
  void closingFailsWhatDoesNotEnd() throws Exception {
    VirtualClock clock = new VirtualClock();
    HttpMailbox<String, String> mailbox =
        fixture.open(builder -> builder.clock(clock).callTimeout(Duration.ofMinutes(5)));
    List<CompletableFuture<Sent>> stages = fillRequests(mailbox);
    stages.addAll(sendAsync(mailbox, 4, 10));
    CompletableFuture<Void> closed = CompletableFuture.runAsync(mailbox::close, OwnThread.EXECUTOR);
    clock.awaitWaiters(1);
    assertFalse(closed.isDone());

    clock.advance(Duration.ofSeconds(10));
    closed.get(10, SECONDS);

    for (int i = 0; i < stages.size(); i++) {
      assertTrue(stages.get(i).isDone(), "stage " + i);
      ExecutionException thrown = assertThrows(ExecutionException.class, stages.get(i)::get);
      if (i < 4) {
        assertEquals(
            Outcome.UNKNOWN,
            assertInstanceOf(MailboxConnectionException.class, thrown.getCause()).outcome());
      } else {
        assertInstanceOf(MailboxClosedException.class, thrown.getCause());
      }
    }
    assertEquals(4, service.requests().size());
  }
}
