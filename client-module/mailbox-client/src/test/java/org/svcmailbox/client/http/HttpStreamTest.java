package org.svcmailbox.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.memory.InMemoryDriver;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.test.log.OwnLog;

/** Receives by a stream of a service that keeps its promises. */
@Timeout(60)
class HttpStreamTest {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(100);

  private final QueueService service = new QueueService();
  private final InMemoryDriver queue = service.topic("orders");
  private final HttpMailbox<String, String> mailbox =
      HttpMailbox.builder(
              URI.create("http://127.0.0.1:" + service.port()),
              TokenSource.of(ScriptedService.TOKEN),
              "orders",
              Codecs.utf8(),
              Codecs.utf8())
          .random(() -> 0)
          .streaming()
          .build();

  @AfterEach
  void close() {
    mailbox.close();
    service.close();
  }

  private void send(String... bodies) {
    for (String body : bodies) {
      queue.send(QueueService.message(body));
    }
  }

  private List<Message<String, String>> receive(int max) {
    return mailbox.receive(max, LEASE, WAIT);
  }

  private Message<String, String> receive() {
    return receive(1).get(0);
  }

  private JsonNode request(int index) {
    HttpFixture.await(() -> service.streams.requests().size() > index);
    return service.streams.requests().get(index);
  }

  private void awaitOpen(int streams) {
    HttpFixture.await(() -> service.streams.open() == streams);
  }

  @Test
  void messagesComeOverOneRequest() {
    for (int i = 0; i < 20; i++) {
      send("apple " + i);
      Message<String, String> message = receive();
      assertEquals("apple " + i, message.body());
      assertEquals(1, message.deliveryCount());
      message.acknowledge();
    }
    assertEquals(1, service.streams.requests().size());
    assertEquals(0, service.receives());
    assertEquals(
        "{\"topic\":\"orders\",\"visibility_ms\":60000,\"window\":1,\"window_bytes\":8388608}",
        request(0).toString());
  }

  @Test
  void aReceiveWaitsForAMessageAndNoLongerThanItMay() {
    assertEquals(List.of(), mailbox.receive(1, LEASE, SHORT));
    CompletableFuture<Message<String, String>> waiting = HttpFixture.begin(this::receive);
    awaitOpen(1);
    send("apple");
    assertEquals("apple", waiting.join().body());
  }

  @Test
  void aReceiveWithoutAWaitIsARequest() {
    send("apple");
    assertEquals("apple", mailbox.receive(1, LEASE, Duration.ZERO).get(0).body());
    assertEquals(1, service.receives());
    assertEquals(0, service.streams.requests().size());
  }

  /** It takes a request, because the window is full. */
  @Test
  void heldMessagesDoNotKeepOthersFromBeingReceived() {
    send("apple", "pear", "plum");
    List<Message<String, String>> held = List.of(receive(), receive(), receive());
    assertEquals(List.of("apple", "pear", "plum"), held.stream().map(Message::body).toList());
    assertTrue(service.receives() > 0);
    held.forEach(Message::acknowledge);
  }

  /** Otherwise they would lie here, leased and hidden from everybody. */
  @Test
  void nothingIsTakenThatNobodyAskedFor() throws Exception {
    send("apple", "pear");
    receive();
    assertNextElsewhere("pear");
  }

  /** Another receiver gets the next message, in its first attempt. */
  private void assertNextElsewhere(String body) throws InterruptedException {
    DriverDelivery next = queue.receive(1, LEASE, WAIT).get(0);
    assertEquals(body, new String(next.message().payload().bytes(), UTF_8));
    assertEquals(1, service.leased("orders", next).path("attempt").asInt());
  }

  @Test
  void aStreamThatNobodyReceivesFromEndsAndGivesMessagesBackUnspent() {
    send("apple");
    receive().acknowledge();
    awaitOpen(0);
    assertEquals(2, service.streams.requests().size());
    JsonNode giveBack = request(1);
    assertEquals("s1", giveBack.path("resume").path("stream").asText());
    assertEquals(1, giveBack.path("resume").path("last").asInt(-1));
    assertEquals(0, giveBack.path("window").asInt(-1));
  }

  @Test
  void aMessageThatComesAfterAReceiveIsGivenBackUnspent() throws Exception {
    assertEquals(List.of(), mailbox.receive(1, LEASE, SHORT));
    send("apple");
    assertNextElsewhere("apple");
    awaitOpen(0);
  }

  @Test
  void anInterruptedReceiveIsEmptyAtOnceAndTakesNothing() throws Exception {
    CompletableFuture<List<Message<String, String>>> received = new CompletableFuture<>();
    Thread receiver = new Thread(() -> received.complete(receive(1)));
    receiver.start();
    awaitOpen(1);
    receiver.interrupt();
    assertEquals(List.of(), received.get(1, SECONDS));
    send("apple");
    assertEquals(1, receive().deliveryCount());
  }

  @Test
  void closingEndsReceivesAndGivesBackWhatNobodyTook() throws Exception {
    CompletableFuture<List<Message<String, String>>> waiting = HttpFixture.begin(() -> receive(1));
    awaitOpen(1);
    mailbox.close();
    assertEquals(List.of(), waiting.get(10, SECONDS));
    awaitOpen(0);
    send("apple");
    assertNextElsewhere("apple");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "age", "drain", "slow", "error", "a later one"})
  void anotherStreamFollowsOneThatEnds(String reason) {
    CompletableFuture<Message<String, String>> waiting = HttpFixture.begin(this::receive);
    awaitOpen(1);
    service.streams.endAll(reason);
    JsonNode again = request(1);
    assertEquals(
        reason.equals("drain") ? "" : "{\"stream\":\"s1\",\"last\":0}",
        again.path("resume").toString());
    send("apple");
    assertEquals("apple", waiting.join().body());
    assertEquals(0, service.receives());
  }

  /** The answer to a request tells what is wrong. */
  @ParameterizedTest
  @ValueSource(strings = {"capability", "topic"})
  void aStreamThatEndsForAReasonOfItsCallerIsFollowedByARequest(String reason) {
    CompletableFuture<Message<String, String>> waiting = HttpFixture.begin(this::receive);
    awaitOpen(1);
    service.streams.endAll(reason);
    service.awaitReceives(1);
    send("apple");
    assertEquals("apple", waiting.join().body());
    assertNull(request(0).get("resume"));
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 405, 429, 501})
  void aServiceWithoutStreamsIsPolledAndOneLineSaysSo(int status) {
    service.streams.refuse(status);
    try (OwnLog log = new OwnLog(HttpMailbox.class.getName())) {
      for (String body : List.of("apple", "pear")) {
        send(body);
        assertEquals(body, receive().body());
      }
      assertEquals(1, log.lines().size(), () -> log.lines().toString());
      assertTrue(
          log.lines().get(0).contains("receives are requests"), () -> log.lines().toString());
    }
    assertEquals(1, service.streams.requests().size());
    assertEquals(2, service.receives());
  }

  @Test
  void otherLeasesNeedAnotherStream() {
    send("apple", "pear");
    receive();
    mailbox.receive(1, LEASE.multipliedBy(2), WAIT).get(0);
    assertEquals(60_000, request(0).path("visibility_ms").asInt());
    assertEquals(120_000, request(1).path("visibility_ms").asInt());
    assertEquals("s1", request(1).path("resume").path("stream").asText());
    assertEquals(0, service.receives());
  }

  @Test
  void receivesThatWaitWithOtherLeasesAreServedBoth() {
    CompletableFuture<Message<String, String>> first = HttpFixture.begin(this::receive);
    awaitOpen(1);
    CompletableFuture<List<Message<String, String>>> second =
        HttpFixture.begin(() -> mailbox.receive(1, LEASE.multipliedBy(2), WAIT));
    service.awaitReceives(1);
    send("apple", "pear");
    assertEquals(Set.of("apple", "pear"), Set.of(first.join().body(), second.join().get(0).body()));
  }

  @RepeatedTest(3)
  void manyReceiversShareAStreamAndNoMessageHasTwo() throws Exception {
    int messages = 200;
    Set<String> done = new ConcurrentSkipListSet<>();
    Map<String, String> held = new ConcurrentHashMap<>();
    List<Callable<Void>> receivers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      receivers.add(
          () -> {
            while (done.size() < messages) {
              for (Message<String, String> message : mailbox.receive(3, LEASE, SHORT)) {
                assertNull(held.put(message.id(), message.receiptHandle()), "held by two");
                assertEquals(1, message.deliveryCount());
                message.acknowledge();
                held.remove(message.id());
                assertTrue(done.add(message.body()), "delivered twice");
              }
            }
            return null;
          });
    }
    List<Future<Void>> ends = new ArrayList<>();
    for (Callable<Void> receiver : receivers) {
      ends.add(HttpFixture.begin(receiver));
    }
    for (int i = 0; i < messages; i++) {
      send("apple " + i);
      if (i % 50 == 25) {
        service.streams.endAll("");
      }
    }
    HttpFixture.await(() -> done.size() == messages || ends.stream().anyMatch(Future::isDone));
    for (Future<Void> end : ends) {
      end.get(10, SECONDS);
    }
    assertEquals(messages, done.size());
    assertEquals(0, queue.approximateCount());
  }

  /** A service of an earlier life knows no streams. */
  @Test
  void aStreamThatTheServiceHasForgottenIsOpenedAfresh() {
    send("apple");
    receive();
    service.streams.endAll("");
    awaitOpen(0);
    service.streams.forget();
    send("pear");
    assertEquals("pear", mailbox.receive(2, LEASE, WAIT).get(0).body());
    List<JsonNode> requests = service.streams.requests();
    assertFalse(requests.get(requests.size() - 1).has("resume"));
  }

  @Test
  void aFailureToOpenIsThrown() {
    service.streams.refuse(503);
    assertThrows(MailboxConnectionException.class, () -> mailbox.receive(1, LEASE, WAIT));
    service.streams.refuse(403);
    assertThrows(AccessDeniedException.class, () -> mailbox.receive(1, LEASE, WAIT));
    service.streams.refuse(0);
    send("apple");
    assertEquals("apple", receive().body());
  }
}
