package org.svcmailbox.client.http;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.client.KeyConflictException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.test.concurrent.OwnThread;
import org.svcmailbox.test.net.LoopbackHttp;

/** One send at a time: what is repeated, what is not, and what the caller is told. */
@Timeout(60)
class HttpSendTest {
  private static final String TRACEPARENT =
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private final HttpFixture fixture = new HttpFixture();
  private final ScriptedService service = fixture.service;

  HttpSendTest() throws Exception {}

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void everyOptionTravels() throws Exception {
    HttpMailbox<String, String> mailbox = fixture.open();

    Sent sent =
        mailbox.send(
            Outgoing.builder("two äpples")
                .key("order-17")
                .group("customer-3")
                .delay(Duration.ofNanos(1_000_001))
                .attribute("colour", "red")
                .correlationId("corr-1")
                .traceparent(TRACEPARENT)
                .tracestate("a=1,b=2")
                .replyTo(mailbox)
                .build());

    assertEquals(new Sent("id-order-17", false), sent);
    ScriptedService.Request request = service.request(0);
    assertEquals("POST /v1/send", request.method() + " " + request.path());
    assertEquals(ScriptedService.TOKEN, request.token());
    JsonNode json = request.json();
    assertEquals("two äpples", ScriptedService.text(json));
    assertEquals("orders", json.path("topic").asText());
    assertEquals("order-17", json.path("idem_key").asText());
    assertEquals("customer-3", json.path("shard_key").asText());
    assertEquals(2, json.path("delay_ms").asInt());
    assertEquals("corr-1", json.path("corr_id").asText());
    assertEquals(TRACEPARENT, json.path("traceparent").asText());
    assertEquals("a=1,b=2", json.path("tracestate").asText());
    assertEquals(
        "{\"colour\":\"red\",\"mailbox.reply_to\":\"orders\"}", json.path("attrs").toString());
  }

  @Test
  void eachSendHasAKeyOfItsOwn() {
    HttpMailbox<String, String> mailbox = fixture.open();
    assertNotEquals(mailbox.send("apple"), mailbox.send("apple"));
    assertEquals(32, service.request(0).json().path("idem_key").asText().length());
    assertFalse(service.request(0).json().has("attrs"));
  }

  /** Status, code, exception. */
  @ParameterizedTest
  @CsvSource({
    "400, E_SCHEMA, java.lang.IllegalArgumentException",
    "401, E_CAP_AUTH, org.svcmailbox.client.AccessDeniedException",
    "403, E_CAP_SCOPE, org.svcmailbox.client.AccessDeniedException",
    "404, E_NOT_FOUND, org.svcmailbox.client.MailboxNotFoundException",
    "409, E_DUPLICATE, org.svcmailbox.client.KeyConflictException",
    "413, E_FRAME_TOO_LARGE, org.svcmailbox.client.SerializationException",
    "415, E_SCHEMA, java.lang.IllegalArgumentException",
    "422, E_INTEGRITY, java.lang.IllegalArgumentException"
  })
  void aRefusalIsThrownAndNotRepeated(
      int status, String code, Class<? extends RuntimeException> expected) {
    service.nextProblem(
        status,
        code,
        ",\"reason\":\"why\",\"detail\":\"so it is\","
            + "\"errors\":[{\"field\":\"attrs\",\"message\":\"too many\"}]");

    RuntimeException thrown = assertThrows(expected, () -> fixture.open().send("apple"));

    assertEquals(
        "call %s/v1/send (orders) was answered %d %s (why): so it is (attrs: too many)"
            .formatted(service.uri(), status, code),
        thrown.getMessage());
    assertEquals(1, service.requests().size());
  }

  @Test
  void aRedirectIsNotFollowed() {
    service.next(
        (exchange, request) -> {
          exchange.getResponseHeaders().set("Location", service.uri() + "/v1/send");
          LoopbackHttp.answer(exchange, 307, "text/plain", "elsewhere");
        });

    MailboxConnectionException thrown =
        assertThrows(MailboxConnectionException.class, () -> fixture.open().send("apple"));

    assertEquals(Outcome.NOT_DONE, thrown.outcome());
    assertEquals(1, service.requests().size());
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 408, 429, 500, 502, 503, 504})
  void whatMayPassIsRepeatedWithTheSameKeyAndBytes(int status) {
    service.next(status, "").next(status, "<html>");

    fixture.open().send("apple");

    assertRepeated(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{}", "<html>", "{\"msg_id\":\"a\"}", "{} {}"})
  void anAnswerThatCannotBeReadIsALostOne(String body) {
    service.next(200, body).next(204, "");

    fixture.open().send("apple");

    assertRepeated(3);
  }

  @Test
  void aLostAnswerMakesNoSecondMessage() {
    service.next(service.lost()).next(service.lost());

    Sent sent = fixture.open().send(Outgoing.of("apple"));

    assertTrue(sent.duplicate());
    assertRepeated(3);
  }

  private void assertRepeated(int times) {
    assertEquals(times, service.requests().size());
    assertEquals(
        1, service.requests().stream().map(ScriptedService.Request::body).distinct().count());
    assertEquals(1, service.messages());
  }

  @Test
  void aServiceThatIsNotThereIsCalledAgain() throws Exception {
    URI nobody;
    try (ServerSocket free = new ServerSocket(0)) {
      nobody = URI.create("http://127.0.0.1:" + free.getLocalPort());
    }
    VirtualClock clock = new VirtualClock();
    HttpMailbox<String, String> mailbox =
        fixture.keep(fixture.builder(nobody).clock(clock).random(() -> 1).build());

    assertEquals(Outcome.NOT_DONE, outcomeAfterTimeout(mailbox, clock));
  }

  /** Sends, and lets the time of the send pass while it waits for its second attempt. */
  private static Outcome outcomeAfterTimeout(
      HttpMailbox<String, String> mailbox, VirtualClock clock) throws Exception {
    CompletableFuture<String> sent = HttpFixture.begin(() -> mailbox.send("apple"));
    clock.awaitWaiters(1);
    clock.advance(Duration.ofSeconds(30));
    ExecutionException thrown = assertThrows(ExecutionException.class, () -> sent.get(10, SECONDS));
    return assertInstanceOf(MailboxConnectionException.class, thrown.getCause()).outcome();
  }

  @Test
  void theServiceSaysWhenToRepeat() {
    service.nextProblem(429, "E_SATURATED", ",\"retry_after_ms\":7000");
    assertPauses(7_000);
  }

  @Test
  void aHeaderSaysItToo() {
    service.next(
        (exchange, request) -> {
          exchange.getResponseHeaders().set("Retry-After", "3");
          ScriptedService.problem(503, "E_UNAVAILABLE", "").answer(exchange, request);
        });
    assertPauses(3_000);
  }

  /** The body is the more exact. */
  @Test
  void theBodyGoesBeforeTheHeader() {
    service.next(
        (exchange, request) -> {
          exchange.getResponseHeaders().set("Retry-After", "3");
          ScriptedService.problem(503, "E_UNAVAILABLE", ",\"retry_after_ms\":2500")
              .answer(exchange, request);
        });
    assertPauses(2_500);
  }

  /** Half of 100 ms, then of 200 ms, and so on up to half of 5 s. */
  @Test
  void withoutAWordTheBackoffDoubles() {
    IntStream.range(0, 8).forEach(i -> service.next(503, ""));
    assertPauses(50, 100, 200, 400, 800, 1_600, 2_500, 2_500);
  }

  /** Sends, and expects these pauses between the attempts, in milliseconds. */
  private void assertPauses(long... millis) {
    RecordingClock clock = new RecordingClock();

    fixture.open(clock).send("apple");

    assertEquals(LongStream.of(millis).mapToObj(Duration::ofMillis).toList(), clock.waits());
    assertRepeated(millis.length + 1);
  }

  @Test
  void aFullMailboxIsReportedWhenTheTimeIsOver() {
    service.nextProblem(
        429, "E_SATURATED", ",\"reason\":\"shard_capacity\",\"retry_after_ms\":60000");

    MailboxFullException thrown =
        assertThrows(MailboxFullException.class, () -> fixture.open().send("apple"));

    assertEquals(Optional.of(Duration.ofMinutes(1)), thrown.retryAfter());
    assertTrue(thrown.toString().contains("shard_capacity"), thrown.getMessage());
    assertEquals(1, service.requests().size());
  }

  /** Reason, outcome. */
  @ParameterizedTest
  @CsvSource({
    "draining, NOT_DONE",
    "max_conns, NOT_DONE",
    "disk_reserve, NOT_DONE",
    "queue_missing, NOT_DONE",
    "key_contention, NOT_DONE",
    "settling, NOT_DONE",
    "store_mismatch, NOT_DONE",
    "letter_away, NOT_DONE",
    "owner_unreachable, NOT_DONE",
    "owner_lost, UNKNOWN",
    "broker_away, UNKNOWN",
    "timeout, UNKNOWN",
    "'', UNKNOWN"
  })
  void a503SaysWhetherItMayHaveHappened(String reason, Outcome outcome) {
    service.nextProblem(
        503, "E_UNAVAILABLE", ",\"reason\":\"" + reason + "\",\"retry_after_ms\":60000");

    MailboxConnectionException thrown =
        assertThrows(MailboxConnectionException.class, () -> fixture.open().send("apple"));

    assertEquals(outcome, thrown.outcome());
  }

  @Test
  void aLostAnswerIsUnknownWhenTheTimeIsOver() throws Exception {
    VirtualClock clock = new VirtualClock();
    service.next(service.lost());

    assertEquals(Outcome.UNKNOWN, outcomeAfterTimeout(fixture.open(clock), clock));

    assertEquals(1, service.messages());
    assertEquals(1, service.requests().size());
  }

  @Test
  void anAnswerThatStallsIsALostOne() {
    service.next(
        (exchange, request) -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          Thread.sleep(30_000);
        });
    HttpMailbox<String, String> mailbox =
        fixture.open(builder -> builder.callTimeout(Duration.ofMillis(500)));

    mailbox.send("apple");

    assertTrue(service.requests().size() > 1);
    assertEquals(1, service.messages());
  }

  /** A failure after a lost answer never says that nothing was sent, unless that is certain. */
  @ParameterizedTest
  @CsvSource({
    "429, E_SATURATED",
    "403, E_CAP_SCOPE",
    "400, E_SCHEMA",
    "404, E_NOT_FOUND",
    "413, E_FRAME_TOO_LARGE"
  })
  void doubtRemains(int status, String code) {
    service
        .next(service.lost())
        .nextProblem(status, code, ",\"retry_after_ms\":60000,\"detail\":\"no\"");

    MailboxConnectionException thrown =
        assertThrows(MailboxConnectionException.class, () -> fixture.open().send("apple"));

    assertEquals(Outcome.UNKNOWN, thrown.outcome());
    assertTrue(thrown.toString().contains(code), thrown.getMessage());
  }

  @Test
  void aConflictEndsTheDoubt() {
    service.next(500, "").nextProblem(409, "E_DUPLICATE", "");
    assertThrows(KeyConflictException.class, () -> fixture.open().send("apple"));
  }

  @Test
  void anInterruptedSendIsUnknownAndKeepsTheFlag() throws Exception {
    service.next((exchange, request) -> Thread.sleep(30_000));
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    CompletableFuture<RuntimeException> thrown = new CompletableFuture<>();
    Thread sender =
        new Thread(
            () -> {
              thrown.complete(
                  assertThrows(
                      MailboxConnectionException.class, () -> fixture.open().send("apple")));
              flag.complete(Thread.currentThread().isInterrupted());
            });
    sender.start();
    service.awaitRequest(0);

    sender.interrupt();

    MailboxConnectionException failure =
        assertInstanceOf(MailboxConnectionException.class, thrown.get(10, SECONDS));
    assertEquals(Outcome.UNKNOWN, failure.outcome());
    assertTrue(flag.get(10, SECONDS));
  }

  @Test
  void countingAddsWhatIsReadyHeldAndDelayed() {
    service.next(
        200, "{\"name\":\"orders\",\"ready\":3,\"inflight\":20,\"delayed\":100,\"dlq\":9}");
    assertEquals(123, fixture.open().approximateCount());
    assertEquals("GET /v1/topics/orders", call(0));
  }

  @Test
  void aPurgeThatWasRepeatedCountsNothing() {
    service.next(200, "{\"purged\":7}").next(service.lost()).next(200, "{\"purged\":0}");
    HttpMailbox<String, String> mailbox = fixture.open();
    assertEquals(7, mailbox.purge().orElseThrow());
    assertTrue(mailbox.purge().isEmpty());
    assertEquals("POST /v1/topics/orders/purge", call(0));
    assertEquals("", service.request(0).body());
  }

  private String call(int request) {
    return service.request(request).method() + " " + service.request(request).path();
  }

  @Test
  void aSendIsNoLongerWaitedForWhenTheMailboxHasStopped() throws Exception {
    VirtualClock clock = new VirtualClock();
    HttpMailbox<String, String> mailbox = fixture.open(clock);
    service.nextProblem(429, "E_SATURATED", ",\"retry_after_ms\":20000");
    CompletableFuture<String> sent = HttpFixture.begin(() -> mailbox.send("apple"));
    clock.awaitWaiters(1);
    CompletableFuture<Void> closed = CompletableFuture.runAsync(mailbox::close, OwnThread.EXECUTOR);

    clock.awaitWaiters(2);
    assertFalse(closed.isDone());
    clock.advance(Duration.ofSeconds(10));

    closed.get(10, SECONDS);
    ExecutionException thrown = assertThrows(ExecutionException.class, () -> sent.get(10, SECONDS));
    assertInstanceOf(MailboxFullException.class, thrown.getCause());
    assertEquals(1, service.requests().size());
  }
}
