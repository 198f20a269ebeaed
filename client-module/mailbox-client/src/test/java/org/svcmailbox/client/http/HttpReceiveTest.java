package org.svcmailbox.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.client.IntegrityException;
import org.svcmailbox.client.MailboxClosedException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.Message;
import org.svcmailbox.test.concurrent.OwnThread;

/** RECV: what is asked for, what is checked, and how a receive that waits ends. */
@Timeout(60)
class HttpReceiveTest {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Duration WAIT = Duration.ofSeconds(20);

  private final HttpFixture fixture = new HttpFixture();
  private final ScriptedService service = fixture.service;
  private final HttpMailbox<String, String> mailbox = fixture.open();
  private final CountDownLatch gate = new CountDownLatch(1);

  HttpReceiveTest() throws Exception {}

  @AfterEach
  void close() {
    gate.countDown();
    fixture.close();
  }

  private static ObjectNode leased() {
    return ScriptedService.leased(
        "orders", "m1", "two äpples", Map.of("colour", "red", "mailbox.reply_to", "answers"));
  }

  private Message<String, String> receive(ObjectNode message) {
    service.next(200, ScriptedService.received(message));
    return mailbox.receive(1, LEASE, Duration.ZERO).get(0);
  }

  @Test
  void aMessageIsReadFieldByField() {
    ObjectNode leased = leased().put("attempt", 3).put("added_later", "ignored");
    leased.put("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    leased.put("tracestate", "a=1");

    Message<String, String> message = receive(leased);

    assertEquals("m1", message.id());
    assertEquals("two äpples", message.body());
    assertEquals("receipt-m1", message.receiptHandle());
    assertEquals(3, message.deliveryCount());
    assertEquals(Instant.parse(ScriptedService.TS), message.enqueuedAt());
    assertEquals(Map.of("colour", "red"), message.attributes());
    assertEquals(Optional.of("answers"), message.replyTo());
    assertEquals(Optional.of("corr"), message.correlationId());
    assertTrue(message.traceparent().isPresent());
    assertEquals(Optional.of("a=1"), message.tracestate());
  }

  @Test
  void whatIsAskedForTravels() {
    mailbox.receive(7, Duration.ofMillis(250), Duration.ZERO);
    mailbox.receive(1, LEASE, Duration.ofSeconds(30));
    assertEquals(
        "{\"topic\":\"orders\",\"max_messages\":7,\"visibility_ms\":250,\"wait_ms\":0}",
        service.request(0).body());
    long wait = service.request(1).json().path("wait_ms").asLong();
    assertTrue(wait > 20_000 && wait <= 30_000, "wait_ms " + wait);
  }

  @ParameterizedTest
  @ValueSource(strings = {"payload", "payload_hash", "attrs", "ts", "idem_key", "hash_chain"})
  void anAlteredMessageThrowsWhenItsBodyIsRead(String altered) {
    ObjectNode leased = leased();
    switch (altered) {
      case "payload" ->
          leased.put(altered, Base64.getEncoder().encodeToString("3".getBytes(UTF_8)));
      case "attrs" -> leased.putObject(altered).put("colour", "green");
      case "ts" -> leased.put(altered, "2026-01-02T03:04:05.679Z");
      default -> leased.put(altered, leased.path(altered).asText() + "0");
    }

    Message<String, String> message = receive(leased);

    IntegrityException thrown = assertThrows(IntegrityException.class, message::body);
    assertTrue(thrown.toString().contains("message m1 is not the one that was sent"));
    assertFalse(message.isFinalized());
    message.nack(LEASE, "altered");
  }

  /** Its digests match, and it is another topic's. */
  @Test
  void aMessageOfAnotherTopicIsAltered() {
    Message<String, String> message =
        receive(ScriptedService.leased("payments", "m1", "apple", Map.of()));
    assertThrows(IntegrityException.class, message::body);
    assertArrayEquals("apple".getBytes(UTF_8), message.rawBody());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "{\"messages\":[{}]}",
        "{\"messages\":[null]}",
        "{\"messages\":null}",
        "{\"messages\":[]} x"
      })
  void anAnswerThatCannotBeReadIsThrown(String body) {
    service.next(200, body);
    assertThrows(MailboxConnectionException.class, () -> mailbox.receive(1, LEASE, Duration.ZERO));
  }

  @Test
  void aReceiveIsNotRepeated() {
    service.nextProblem(429, "E_SATURATED", ",\"retry_after_ms\":1");
    assertThrows(MailboxFullException.class, () -> mailbox.receive(1, LEASE, Duration.ZERO));
    assertEquals(1, service.requests().size());
  }

  /** Answered by nobody; true once the client has gone. */
  private CompletableFuture<Boolean> holdNext() {
    CompletableFuture<Boolean> gone = new CompletableFuture<>();
    service.next(
        (exchange, request) -> {
          exchange.sendResponseHeaders(200, 0);
          try {
            while (true) {
              exchange.getResponseBody().write(' ');
              exchange.getResponseBody().flush();
              Thread.sleep(5);
            }
          } catch (IOException e) {
            gone.complete(true);
          }
        });
    return gone;
  }

  @Test
  void closingCancelsThePoll() throws Exception {
    CompletableFuture<Boolean> gone = holdNext();
    CompletableFuture<List<Message<String, String>>> receive =
        HttpFixture.begin(() -> mailbox.receive(1, LEASE, WAIT));
    service.awaitRequest(0);

    mailbox.close();

    assertEquals(List.of(), receive.get(10, SECONDS));
    assertTrue(gone.get(10, SECONDS));
  }

  @Test
  void anInterruptCancelsThePoll() throws Exception {
    CompletableFuture<Boolean> gone = holdNext();
    CompletableFuture<List<Message<String, String>>> received = new CompletableFuture<>();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread receiver =
        new Thread(
            () -> {
              received.complete(mailbox.receive(1, LEASE, WAIT));
              flag.complete(Thread.currentThread().isInterrupted());
            });
    receiver.start();
    service.awaitRequest(0);

    receiver.interrupt();

    assertEquals(List.of(), received.get(10, SECONDS));
    assertTrue(flag.get(10, SECONDS));
    assertTrue(gone.get(10, SECONDS));
  }

  @Test
  void halfOfTheConnectionsIsKeptForCallsThatDoNotWait() throws Exception {
    HttpMailbox<String, String> narrow =
        fixture.open(builder -> builder.connections(HttpConnections.builder().max(4).build()));
    List<CompletableFuture<List<Message<String, String>>>> polls = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      service.next(
          (exchange, request) -> {
            gate.await();
            service.asEver().answer(exchange, request);
          });
    }
    for (int i = 0; i < 2; i++) {
      polls.add(HttpFixture.begin(() -> narrow.receive(1, LEASE, WAIT)));
      service.awaitRequest(i);
    }
    CompletableFuture<String> held = HttpFixture.begin(() -> narrow.send("held"));
    service.awaitRequest(2);
    narrow.send("apple");
    assertEquals(4, service.requests().size());

    CompletableFuture<List<Message<String, String>>> waiting =
        HttpFixture.begin(() -> narrow.receive(1, LEASE, WAIT));
    CompletableFuture<Void> closed = CompletableFuture.runAsync(narrow::close, OwnThread.EXECUTOR);
    for (CompletableFuture<List<Message<String, String>>> poll : polls) {
      assertEquals(List.of(), poll.get(10, SECONDS));
    }
    awaitEnd(waiting);
    gate.countDown();
    held.get(10, SECONDS);
    closed.get(10, SECONDS);
  }

  /** It began before the mailbox closed and is empty, or it began after that and is refused. */
  private static void awaitEnd(CompletableFuture<List<Message<String, String>>> receive)
      throws Exception {
    try {
      assertEquals(List.of(), receive.get(10, SECONDS));
    } catch (ExecutionException e) {
      assertInstanceOf(MailboxClosedException.class, e.getCause());
    }
  }
}
