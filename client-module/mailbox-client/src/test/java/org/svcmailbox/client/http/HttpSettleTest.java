package org.svcmailbox.client.http;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.client.LongestLeaseException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxNotFoundException;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.ReceiptHandleExpiredException.Why;
import org.svcmailbox.test.concurrent.Deadline;

/** ACK, NACK and EXTEND: receipts, repeats, batches, and what a repeated one means. */
@Timeout(60)
class HttpSettleTest {
  private static final String ID = ",\"msg_id\":\"m0\"";

  private final HttpFixture fixture = new HttpFixture();
  private final ScriptedService service = fixture.service;
  private final HttpMailbox<String, String> mailbox = fixture.open();

  HttpSettleTest() throws Exception {}

  @AfterEach
  void close() {
    fixture.close();
  }

  private Message<String, String> held() {
    return held(1).get(0);
  }

  private List<Message<String, String>> held(int count) {
    service.next(
        200,
        ScriptedService.received(
            IntStream.range(0, count)
                .mapToObj(i -> ScriptedService.leased("orders", "m" + i, "apple", Map.of()))
                .toArray(ObjectNode[]::new)));
    return mailbox.receive(Math.max(1, count), Duration.ofMinutes(1), Duration.ZERO);
  }

  @Test
  void aReplyNamesItsRequestAndIsInItsGroup() {
    HttpMailbox<String, String> requests =
        fixture.open(builder -> builder.resolver(MailboxResolver.of(mailbox)));
    service.next(
        200,
        ScriptedService.received(
            ScriptedService.leased("orders", "m0", "apple", Map.of("mailbox.reply_to", "orders"))));

    requests.receive(1, Duration.ofMinutes(1), Duration.ZERO).get(0).reply("pear");

    JsonNode reply = service.request(1).json();
    assertEquals("m0", reply.path("shard_key").asText());
    assertEquals("{\"mailbox.in_reply_to\":\"m0\"}", reply.path("attrs").toString());
  }

  @Test
  void settlingSendsTheReceipt() {
    held().acknowledge();
    held().nack(Duration.ofNanos(1), "no \ud800 basket");
    held().nack(Duration.ZERO);
    held().extendVisibility(Duration.ofSeconds(7));

    String receipt = "{\"msg_id\":\"m0\",\"receipt\":\"receipt-m0\"";
    assertEquals("/v1/ack " + receipt + "}", call(1));
    assertEquals("/v1/nack " + receipt + ",\"delay_ms\":1,\"reason\":\"no ? basket\"}", call(3));
    assertEquals("/v1/nack " + receipt + ",\"delay_ms\":0}", call(5));
    assertEquals("/v1/extend " + receipt + ",\"visibility_ms\":7000}", call(7));
  }

  private String call(int request) {
    return service.request(request).path() + " " + service.request(request).body();
  }

  @ParameterizedTest
  @CsvSource({
    "410, expired, EXPIRED",
    "410, superseded, SUPERSEDED",
    "410, acked, ACKNOWLEDGED",
    "404, '', EXPIRED"
  })
  void aLostLeaseSaysWhy(int status, String word, Why why) {
    Message<String, String> message = held();
    for (Runnable call :
        List.<Runnable>of(
            message::acknowledge,
            () -> message.nack(Duration.ZERO, ""),
            () -> message.extendVisibility(Duration.ofSeconds(1)))) {
      service.nextProblem(status, "E", ID + ",\"why\":\"" + word + "\"");
      assertEquals(why, assertThrows(ReceiptHandleExpiredException.class, call::run).why());
      assertFalse(message.isFinalized());
    }
  }

  @Test
  void aPathThatIsNotThereIsNoLostLease() {
    Message<String, String> message = held();
    service.nextProblem(404, "E_NOT_FOUND", ",\"detail\":\"No such path\"");
    assertThrows(MailboxNotFoundException.class, message::acknowledge);
    service.next(service.lost()).nextProblem(404, "E_NOT_FOUND", ",\"detail\":\"No such path\"");
    assertThrows(MailboxConnectionException.class, message::acknowledge);
    assertFalse(message.isFinalized());
  }

  @Test
  void aRepeatedAckOfWhatIsAcknowledgedSucceeded() {
    Message<String, String> message = held();
    service.next(service.lost()).nextProblem(410, "E", ID + ",\"why\":\"acked\"");

    message.acknowledge();

    assertTrue(message.isFinalized());
  }

  /** After a restart, a 404 may mean that it was acknowledged, or waits for its next delivery. */
  @ParameterizedTest
  @CsvSource({"404, ''", "410, expired", "410, superseded"})
  void aRepeatedAckThatMeetsNoLeaseTellsOfTheLostAnswer(int status, String why) {
    Message<String, String> message = held();
    service.next(service.lost()).nextProblem(status, "E", ID + ",\"why\":\"" + why + "\"");
    Exception refused = assertThrows(ReceiptHandleExpiredException.class, message::acknowledge);
    var lost = assertInstanceOf(MailboxConnectionException.class, refused.getCause());
    assertEquals(Outcome.UNKNOWN, lost.outcome());
    assertFalse(message.isFinalized());
  }

  /** A 503 with which nothing was done makes the next attempt no repeat. */
  @Test
  void anAckThatWasNotBegunIsNotRepeated() {
    Message<String, String> message = held();
    service
        .nextProblem(503, "E", ",\"reason\":\"draining\",\"retry_after_ms\":1")
        .nextProblem(404, "E", ID);
    Exception refused = assertThrows(ReceiptHandleExpiredException.class, message::acknowledge);
    assertNull(refused.getCause(), "no attempt was in doubt");
  }

  @Test
  void aCallerMayRepeatAnAckWhoseAnswerWasLost() {
    Message<String, String> message = held();
    service.next(500, "").nextProblem(503, "E", ",\"retry_after_ms\":60000");
    MailboxConnectionException lost =
        assertThrows(MailboxConnectionException.class, message::acknowledge);
    assertEquals(Outcome.UNKNOWN, lost.outcome());
    assertFalse(message.isFinalized());
    service.nextProblem(404, "E_NOT_FOUND", ID);
    assertThrows(ReceiptHandleExpiredException.class, message::acknowledge);
    service.nextProblem(410, "E", ID + ",\"why\":\"acked\"");

    message.acknowledge();

    assertTrue(message.isFinalized());
  }

  @ParameterizedTest
  @CsvSource({"404, ''", "410, superseded", "410, expired"})
  void aRepeatedNackThatFindsNoLeaseSucceeded(int status, String why) {
    Message<String, String> message = held();
    service.next(service.lost()).nextProblem(status, "E", ID + ",\"why\":\"" + why + "\"");

    message.nack(Duration.ZERO, "again");

    assertTrue(message.isFinalized());
  }

  @ParameterizedTest
  @CsvSource({"404, ''", "410, superseded"})
  void aRepeatedExtensionThatFindsNoLeaseDidNot(int status, String why) {
    Message<String, String> message = held();
    service.next(service.lost()).nextProblem(status, "E", ID + ",\"why\":\"" + why + "\"");
    assertThrows(
        ReceiptHandleExpiredException.class, () -> message.extendVisibility(Duration.ofSeconds(1)));
  }

  @Test
  void anExtensionBeyondWhatTheTopicAllowsIsAWrongArgument() {
    Message<String, String> message = held();
    service.nextProblem(400, "E_SCHEMA", ID);
    assertThrows(
        IllegalArgumentException.class, () -> message.extendVisibility(Duration.ofHours(1)));
  }

  @Test
  void anExtensionBeyondTheLongestLeaseSaysWhatIsLeft() {
    Message<String, String> message = held();
    service.nextProblem(
        400, "E_SCHEMA", ID + ",\"reason\":\"retention_inflight\",\"left_ms\":1234");
    LongestLeaseException refused =
        assertThrows(
            LongestLeaseException.class, () -> message.extendVisibility(Duration.ofHours(1)));
    assertEquals(Duration.ofMillis(1_234), refused.left());
  }

  @Test
  void acknowledgementsGatherWhileFourRequestsAreOut() throws Exception {
    List<Message<String, String>> messages = held(20);
    CountDownLatch gate = new CountDownLatch(1);
    for (int i = 0; i < 4; i++) {
      service.next(
          (exchange, request) -> {
            gate.await();
            service.asEver().answer(exchange, request);
          });
    }
    List<CompletableFuture<Void>> calls = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      calls.add(acknowledge(messages.get(i)));
      service.awaitRequest(i + 1);
    }
    service.next(
        200,
        """
        {"results": [{"ok": true}, {"error": {"status": 410, "why": "expired", "msg_id": "m5"}}]}
        """);
    calls.add(acknowledge(messages.get(4)));
    awaitWaiting(1);
    calls.add(acknowledge(messages.get(5)));
    awaitWaiting(2);

    gate.countDown();

    for (int i = 0; i < 5; i++) {
      calls.get(i).get(10, SECONDS);
      assertTrue(messages.get(i).isFinalized());
    }
    assertThrows(Exception.class, () -> calls.get(5).get(10, SECONDS));
    assertFalse(messages.get(5).isFinalized());
    assertEquals("/v1/ack/batch", service.request(5).path());
    assertEquals(2, service.request(5).json().path("acks").size());
    assertEquals(6, service.requests().size());
  }

  /** Returns once so many acknowledging threads wait for a result besides the four. */
  private static void awaitWaiting(int more) {
    Deadline.in(Duration.ofSeconds(10))
        .await(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals("test-ack"))
                        .filter(thread -> thread.getState() == Thread.State.WAITING)
                        .count()
                    == 4 + more,
            () -> "threads that wait for their acknowledgement");
  }

  private static CompletableFuture<Void> acknowledge(Message<String, String> message) {
    return CompletableFuture.runAsync(
        message::acknowledge, task -> new Thread(task, "test-ack").start());
  }
}
