package org.svcmailbox.client.http;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.client.MailboxClosedException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.ReceiptHandleExpiredException;

/** The service in its own JSON: the same repeats and failures as of a mailbox. */
class HttpServiceTest {
  private static final String GONE = ",\"msg_id\":\"m0\",\"detail\":\"no such message\"";

  private final ScriptedService fake = new ScriptedService();
  private final HttpService service = builder().callTimeout(Duration.ofSeconds(5)).build();
  private final CountDownLatch gate = new CountDownLatch(1);

  HttpServiceTest() throws Exception {}

  private HttpService.Builder builder() {
    return HttpService.builder(fake.uri(), TokenSource.of(ScriptedService.TOKEN)).random(() -> 0);
  }

  @AfterEach
  void close() {
    gate.countDown();
    service.close();
    fake.close();
  }

  private static ObjectNode element(String id) {
    return JsonNodeFactory.instance.objectNode().put("msg_id", id).put("receipt", "r-" + id);
  }

  @Test
  void aReadHasItsPathAndNoBody() {
    fake.next(200, "{\"topics\":[]}");
    assertEquals("{\"topics\":[]}", service.get("/v1/topics?limit=3").toString());
    ScriptedService.Request request = fake.request(0);
    assertEquals("GET /v1/topics?limit=3", request.method() + " " + request.path());
    assertEquals("", request.body());
    assertEquals(ScriptedService.TOKEN, request.token());
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202})
  void whatIsDoneMadeOrBegunIsSuccess(int status) {
    fake.next(status, "{\"job_id\":\"j1\"}");
    assertEquals("j1", service.post("/v1/x", element("m0")).path("job_id").asText());
    assertEquals("{\"msg_id\":\"m0\",\"receipt\":\"r-m0\"}", fake.request(0).body());
  }

  @Test
  void aLostAnswerIsRepeatedWithTheSameBytes() {
    fake.next(fake.lost()).nextProblem(503, "E_UNAVAILABLE", ",\"reason\":\"database\"");
    service.post("/v1/x", element("m0"));
    assertEquals(3, fake.requests().size());
    assertEquals(fake.request(0), fake.request(2));
  }

  @Test
  void aCallWithoutABodyIsAPost() {
    service.post("/v1/jobs/j1/pause");
    assertEquals("POST", fake.request(0).method());
    assertEquals("", fake.request(0).body());
  }

  @Test
  void aReplacementIsAPutAndIsRepeatedAsOne() {
    fake.next(fake.lost());
    service.put("/v1/topics/orders", element("m0"));
    assertEquals(2, fake.requests().size());
    assertEquals("PUT", fake.request(1).method());
    assertEquals(fake.request(0), fake.request(1));
  }

  @ParameterizedTest
  @CsvSource({
    "400, IllegalArgumentException",
    "401, AccessDeniedException",
    "403, AccessDeniedException",
    "404, MailboxNotFoundException",
    "412, PreconditionException",
    "302, MailboxConnectionException"
  })
  void aRefusalThrowsAtOnce(int status, String thrown) {
    fake.nextProblem(status, "E", ",\"detail\":\"Bearer " + ScriptedService.TOKEN + "\"");
    RuntimeException failure =
        assertThrows(RuntimeException.class, () -> service.get("/v1/topics"));
    assertEquals(thrown, failure.getClass().getSimpleName());
    assertFalse(failure.toString().contains(ScriptedService.TOKEN), failure.toString());
    assertEquals(1, fake.requests().size());
  }

  @Test
  void aFullServiceIsWaitedForUntilTheTimeIsOver() {
    try (HttpService hurried = builder().callTimeout(Duration.ofSeconds(20)).build()) {
      fake.nextProblem(429, "E_SATURATED", ",\"retry_after_ms\":10")
          .nextProblem(429, "E_SATURATED", ",\"retry_after_ms\":60000");
      assertThrows(MailboxFullException.class, () -> hurried.post("/v1/x", element("m0")));
      assertEquals(2, fake.requests().size());
    }
  }

  @Test
  void receivedMessagesHaveAllTheirFields() throws Exception {
    ObjectNode leased = ScriptedService.leased("orders", "m1", "apple", Map.of("colour", "red"));
    fake.next(200, ScriptedService.received(leased));
    List<JsonNode> messages = service.receive("orders", 7, null, Duration.ZERO);
    assertEquals(List.<JsonNode>of(leased), messages);
    assertEquals("{\"topic\":\"orders\",\"max_messages\":7,\"wait_ms\":0}", fake.request(0).body());
  }

  @Test
  void aReceiveWithALeaseAndAWaitSaysSo() throws Exception {
    service.receive("orders", 1, Duration.ofSeconds(9), Duration.ofSeconds(30));
    JsonNode asked = fake.request(0).json();
    assertEquals(9_000, asked.path("visibility_ms").asLong());
    long wait = asked.path("wait_ms").asLong();
    assertTrue(wait > 20_000 && wait <= 30_000, () -> "waits " + wait + " ms");
  }

  @Test
  void aReceiveIsNotRepeated() {
    fake.nextProblem(503, "E_UNAVAILABLE", ",\"reason\":\"draining\"");
    assertThrows(
        MailboxConnectionException.class, () -> service.receive("orders", 1, null, Duration.ZERO));
    assertEquals(1, fake.requests().size());
  }

  @Test
  void aReceiveOfSomethingElseIsNoSuccess() {
    fake.next(200, "{\"letters\":[]}");
    assertThrows(
        MailboxConnectionException.class, () -> service.receive("orders", 1, null, Duration.ZERO));
  }

  @Test
  void anInterruptEndsAReceive() throws Exception {
    fake.next((exchange, request) -> gate.await());
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    Thread receiver =
        new Thread(
            () ->
                ended.complete(
                    assertThrows(
                        Exception.class,
                        () -> service.receive("orders", 1, null, Duration.ofSeconds(30)))));
    receiver.start();
    fake.awaitRequest(0);
    receiver.interrupt();
    assertInstanceOf(InterruptedException.class, ended.get(10, SECONDS));
  }

  @Test
  void closingEndsAReceiveAndRefusesCalls() throws Exception {
    fake.next((exchange, request) -> gate.await());
    CompletableFuture<List<JsonNode>> received =
        HttpFixture.begin(() -> service.receive("orders", 1, null, Duration.ofSeconds(30)));
    fake.awaitRequest(0);
    service.close();
    assertEquals(List.of(), received.get(10, SECONDS));
    assertThrows(MailboxClosedException.class, () -> service.get("/v1/topics"));
    assertThrows(MailboxClosedException.class, () -> service.acknowledge(List.of(element("m0"))));
  }

  @Test
  void eachMessageOfABatchIsSettledForItself() {
    fake.next(
        200,
        "{\"results\":[{\"ok\":true},{\"error\":{\"status\":410,\"code\":\"E_RECEIPT\","
            + "\"why\":\"superseded\",\"msg_id\":\"m1\"}}]}");
    List<Optional<RuntimeException>> failures =
        service.nack(List.of(element("m0").put("delay_ms", 0), element("m1")));
    assertEquals("/v1/nack/batch", fake.request(0).path());
    assertEquals(
        "{\"nacks\":[{\"msg_id\":\"m0\",\"receipt\":\"r-m0\",\"delay_ms\":0},"
            + "{\"msg_id\":\"m1\",\"receipt\":\"r-m1\"}]}",
        fake.request(0).body());
    assertTrue(failures.get(0).isEmpty());
    assertInstanceOf(ReceiptHandleExpiredException.class, failures.get(1).orElseThrow());
  }

  @Test
  void aBatchHasOneToAHundredMessages() {
    List<ObjectNode> tooMany = Collections.nCopies(HttpService.MAX_BATCH + 1, element("m0"));
    assertThrows(IllegalArgumentException.class, () -> service.acknowledge(tooMany));
    assertThrows(IllegalArgumentException.class, () -> service.extend(List.of()));
    assertEquals(0, fake.requests().size());
    List<ObjectNode> most = tooMany.subList(1, tooMany.size());
    assertEquals(HttpService.MAX_BATCH, service.acknowledge(most).size());
  }

  @Test
  void aRepeatedAcknowledgementOfNoMessageMayNotBeDone() {
    fake.next(fake.lost()).nextProblem(404, "E_NOT_FOUND", GONE);
    assertInstanceOf(
        ReceiptHandleExpiredException.class,
        service.acknowledge(List.of(element("m0"))).get(0).orElseThrow());
  }

  /** The message is back, or it is a dead letter: only one of these was asked for. */
  @Test
  void aRepeatedNackOfNoLeaseWasDoneUnlessItRejects() {
    fake.next(fake.lost()).nextProblem(410, "E_RECEIPT", GONE);
    assertEquals(List.of(Optional.empty()), service.nack(List.of(element("m0"))));

    fake.next(fake.lost()).nextProblem(410, "E_RECEIPT", GONE);
    ObjectNode rejected = element("m0").put("dead_letter", true).put("reason", "no such account");
    assertInstanceOf(
        ReceiptHandleExpiredException.class, service.nack(List.of(rejected)).get(0).orElseThrow());
  }

  @Test
  void anExtensionOfNoLeaseFails() {
    fake.nextProblem(410, "E_RECEIPT", GONE);
    assertInstanceOf(
        ReceiptHandleExpiredException.class,
        service.extend(List.of(element("m0"))).get(0).orElseThrow());
  }

  @Test
  void plainHttpToAnotherMachineIsRefused() {
    HttpService.Builder remote =
        HttpService.builder(URI.create("http://mailbox.example.com"), TokenSource.of("token"));
    assertThrows(IllegalArgumentException.class, remote::build);
    remote.allowPlainHttp().build().close();
  }

  @Test
  void onlyTheUriOfAServiceIsTaken() {
    assertThrows(
        IllegalArgumentException.class,
        () -> HttpService.builder(URI.create("ftp://x"), TokenSource.of("token")));
  }
}
